//! Arguments, checks and file helpers shared by several commands.

pub(super) mod chunks;
pub(super) mod classes;
pub(super) mod files;
pub(super) mod learning_args;
pub(super) mod names;
pub(super) mod paths;
pub(super) mod standalone;
pub(super) mod system_args;
pub(super) mod table_args;
