// The choices of all menus, from `api/start`: shapes, t_norms, s_norms, defuzzifiers, dialects, hedges, folder, file.

export const choices = {};
