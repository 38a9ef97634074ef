"""The view Design: variables, sets, rules, undo."""

import json
import re

from playwright.sync_api import expect


def region(studio, name):
    return studio.page.get_by_role("region", name=name, exact=True)


def rules(studio):
    return studio.page.locator(".rule-row:visible .rule-text").evaluate_all("nodes => nodes.map(node => node.value)")


def drag(page, locator, dx, dy=0, steps=8):
    box = locator.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=steps)
    page.mouse.up()


def parameter(studio, row, index):
    return studio.page.locator(".set-row").nth(row).locator(f"[data-parameter='{index}']")


def test_a_point_of_a_set_is_dragged_and_undone(studio):
    studio.example("Inverted pendulum", "Design")
    region(studio, "Selected variable").get_by_role("button", name="Select upright").click()
    handle = studio.page.locator("circle.handle").nth(2)
    expect(parameter(studio, 1, 2)).to_have_value("10")
    drag(studio.page, handle, 100)
    expect(parameter(studio, 1, 2)).not_to_have_value("10")
    moved = float(parameter(studio, 1, 2).input_value())
    assert 12 < moved < 22
    studio.page.keyboard.press("Control+z")
    expect(parameter(studio, 1, 2)).to_have_value("10")
    studio.page.keyboard.press("Control+y")
    expect(parameter(studio, 1, 2)).to_have_value(re.compile(f"^{moved:g}$"))


def test_points_of_a_triangle_stay_in_order(studio):
    studio.example("Inverted pendulum", "Design")
    studio.page.get_by_role("button", name="Select upright").click()
    drag(studio.page, studio.page.locator("circle.handle").nth(0), 700)
    expect(parameter(studio, 1, 0)).to_have_value("0")


def test_a_whole_set_is_dragged_by_its_curve(studio):
    studio.example("Inverted pendulum", "Design")
    chart = studio.page.locator(".chart.editable")
    box = chart.bounding_box()
    # The middle of the falling side of `upright`: x = 5 of −30 to 30, at membership ½.
    x = box["x"] + box["width"] * (30 + (820 - 42) * 35 / 60) / 820
    y = box["y"] + box["height"] * (20 + (260 - 44) / 2) / 260
    studio.page.mouse.move(x, y)
    studio.page.mouse.down()
    studio.page.mouse.move(x + 60, y, steps=6)
    studio.page.mouse.up()
    expect(parameter(studio, 2, 0)).not_to_have_value("0")
    values = [float(parameter(studio, 2, i).input_value()) for i in (0, 1, 2)]
    assert values[1] - values[0] == 10


def test_a_point_is_moved_with_the_keyboard(studio):
    studio.example("Inverted pendulum", "Design")
    studio.page.get_by_role("button", name="Select upright").click()
    studio.page.locator("circle.handle").nth(1).focus()
    studio.page.keyboard.press("Shift+ArrowRight")
    expect(parameter(studio, 1, 1)).to_have_value("3")


def test_parameters_shapes_and_heights_are_typed(studio):
    studio.example("Tipper", "Design")
    parameter(studio, 0, 1).fill("2.5")
    parameter(studio, 0, 1).press("Enter")
    row = studio.page.locator(".set-row").first
    row.get_by_label("Shape of poor").select_option("Trapezoid")
    expect(parameter(studio, 0, 3)).to_be_visible()
    parameter(studio, 0, 0).fill("9")
    parameter(studio, 0, 0).press("Enter")
    expect(row.locator(".bad-text")).to_contain_text("must be at least `bottom left`")
    expect(parameter(studio, 0, 0)).to_have_attribute("aria-invalid", "true")
    parameter(studio, 0, 0).fill("-inf")
    parameter(studio, 0, 0).press("Enter")
    expect(row.locator(".bad-text")).to_be_hidden()


def test_every_shape_is_drawn(studio):
    studio.example("Tipper", "Design")
    menu = studio.page.get_by_label("Shape of poor")
    expect(menu).to_be_visible()
    shapes = menu.locator("option").all_text_contents()
    assert len(shapes) == 21
    for shape in shapes:
        studio.page.get_by_label("Shape of poor").select_option(shape)
        if shape != "Function":
            expect(studio.page.locator(".set-row").first.locator(".bad-text")).to_be_hidden()
        expect(studio.page.locator(".chart.editable path.curve").first).to_have_attribute("d", re.compile("^M"))


def test_renaming_keeps_the_rules(studio):
    studio.example("Tipper", "Design")
    name = region(studio, "Selected variable").get_by_label("Input", exact=True)
    name.fill("quality of service")
    name.press("Enter")
    expect(studio.page.locator(".rule-text").first).to_have_value(re.compile("quality_of_service is poor"))
    set_name = studio.page.get_by_label("Name of the set").first
    set_name.fill("bad")
    set_name.press("Enter")
    expect(studio.page.locator(".rule-text").first).to_have_value(re.compile("quality_of_service is bad or food"))
    expect(studio.page.locator(".system-problem").first).to_be_hidden()


def test_deleting_a_set_deletes_its_rules_and_undo_restores_them(studio):
    studio.example("Tipper", "Design")
    studio.page.get_by_role("button", name="Delete good").click()
    expect(studio.page.get_by_role("status").filter(has_text="1 rule that used it")).to_be_visible()
    expect(studio.page.get_by_role("heading", name="Rules (2)")).to_be_visible()
    studio.page.get_by_role("button", name="Undo").click()
    expect(studio.page.get_by_role("heading", name="Rules (3)")).to_be_visible()


def test_variables_and_sets_are_added_moved_and_deleted(studio):
    studio.example("Tipper", "Design")
    studio.page.get_by_role("button", name="+ Input").click()
    expect(studio.page.locator(".variable-name")).to_have_text(["service", "food", "input3", "tip"])
    studio.page.get_by_role("button", name="Move input3 up").click()
    expect(studio.page.locator(".variable-name")).to_have_text(["service", "input3", "food", "tip"])
    studio.page.get_by_role("button", name="+ Set").click()
    expect(studio.page.locator(".set-row")).to_have_count(4)
    studio.page.get_by_role("button", name="Delete input3").click()
    expect(studio.page.locator(".variable-name")).to_have_text(["service", "food", "tip"])


def test_a_rule_is_typed_with_completion(studio):
    studio.example("Tipper", "Design")
    field = studio.page.get_by_label("New rule")
    field.click()
    field.press_sequentially("if se")
    expect(studio.page.get_by_role("option", name="service")).to_be_visible()
    field.press("Tab")
    expect(field).to_have_value("if service ")
    field.press_sequentially("is g")
    expect(studio.page.get_by_role("option", name="good")).to_be_visible()
    field.press("Tab")
    field.press_sequentially("and food is delicious then tip is generous")
    field.press("Enter")
    expect(studio.page.get_by_role("heading", name="Rules (4)")).to_be_visible()
    expect(studio.page.get_by_label("Text of rule 4")).to_have_value("if service is good and food is delicious then tip is generous")


def test_an_invalid_rule_is_marked_with_its_position(studio):
    studio.example("Tipper", "Design")
    field = studio.page.get_by_label("Text of rule 2")
    field.fill("if service is god then tip is average")
    expect(studio.page.locator(".rule-problem")).to_contain_text("Rule 2, column 15")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(studio.page.locator(".rule-row").nth(1).locator(".strength")).to_have_text("error")
    # The other rules are still evaluated.
    expect(studio.page.locator(".system-problem").first).to_be_hidden()


def test_a_rule_is_switched_off_weighted_and_deleted(studio):
    studio.example("Tipper", "Design")
    studio.page.get_by_label("Weight of rule 2").fill("0.5")
    studio.page.get_by_label("Weight of rule 2").press("Enter")
    expect(studio.page.get_by_label("Text of rule 2")).to_have_value("if service is good then tip is average with 0.5")
    studio.page.get_by_label("Use rule 2").uncheck()
    expect(studio.page.get_by_label("Text of rule 2")).to_have_value("if service is good then tip is average with 0")
    studio.page.get_by_label("Use rule 2").check()
    expect(studio.page.get_by_label("Text of rule 2")).to_have_value("if service is good then tip is average with 0.5")
    studio.page.get_by_role("button", name="Delete rule 2").click()
    expect(studio.page.get_by_role("heading", name="Rules (2)")).to_be_visible()


def test_rules_are_edited_in_the_table(studio):
    studio.example("Tipper", "Design")
    studio.page.get_by_role("button", name="Table", exact=True).click()
    studio.page.get_by_label("food in rule 2").select_option("not rancid")
    studio.page.get_by_role("button", name="Text", exact=True).click()
    expect(studio.page.get_by_label("Text of rule 2")).to_have_value("if service is good and food is not rancid then tip is average")


def test_rules_are_edited_in_the_matrix(studio):
    studio.example("Inverted pendulum", "Design")
    studio.page.get_by_role("button", name="Matrix").click()
    studio.page.get_by_label("force if angle is left and speed is still").select_option("strong_left")
    studio.page.get_by_label("force if angle is upright and speed is still").select_option("–")
    studio.page.get_by_role("button", name="Text", exact=True).click()
    expect(studio.page.get_by_role("heading", name="Rules (8)")).to_be_visible()
    assert "if angle is left and speed is still then force is strong_left" in rules(studio)


def test_operators_defuzzifier_and_dialect_are_chosen(studio):
    studio.example("Tipper", "Design")
    studio.page.get_by_text("Operators and settings").click()
    studio.page.get_by_label("Implication").select_option("AlgebraicProduct")
    studio.page.get_by_label("Dialect").select_option("matlab")
    studio.page.locator(".variable-open", has_text="tip").click()
    studio.page.get_by_label("Method").select_option("MeanOfMaximum")
    studio.page.get_by_role("textbox", name="Value if no rule fires").fill("7")
    studio.page.get_by_role("textbox", name="Value if no rule fires").press("Enter")
    studio.page.get_by_role("button", name="Export").click()
    studio.page.get_by_role("dialog").get_by_label("As").select_option("json")
    text = studio.page.get_by_label("Text of the system")
    expect(text).to_have_value(re.compile("MeanOfMaximum"))
    system = json.loads(text.input_value())
    assert (system["dialect"], system["blocks"][0]["implication"]) == ("matlab", "AlgebraicProduct")
    assert system["outputs"][0]["default"] == 7


def test_a_set_becomes_a_band(studio):
    studio.example("Tipper", "Design")
    studio.page.get_by_role("button", name="Add upper set (type 2)").click()
    expect(studio.page.locator(".chart.editable path.band")).to_have_count(1)
    upper = studio.page.locator("[data-key='u-0-1']")
    upper.fill("2.5")
    upper.press("Enter")
    expect(studio.page.locator(".variable-card", has_text="tip").locator("output")).to_contain_text("[")


def test_a_point_of_an_upper_set_is_dragged(studio):
    studio.page.get_by_role("button", name="Open Heating with uncertain sets").click()
    studio.view("Design")
    row = studio.page.locator(".set-row").first
    lower, upper = row.locator(".parameters input").first, row.locator(".upper-parameters input").first
    before = lower.input_value(), float(upper.input_value())
    drag(studio.page, studio.page.get_by_label("Parameter 1 of the upper set of cold"), 40)
    expect(upper).not_to_have_value(f"{before[1]:g}")
    assert float(upper.input_value()) > before[1]
    assert lower.input_value() == before[0]


def test_the_tipper_is_built_from_an_empty_page_in_at_most_40_actions(studio):
    page, actions = studio.page, 0

    def act(run):
        nonlocal actions
        actions += 1
        run()

    def type_into(locator, text):
        act(lambda: (locator.fill(text), locator.press("Tab")))

    editor = region(studio, "Selected variable")
    act(lambda: page.get_by_role("button", name="New system").click())
    for kind, name, sets in [("Input", "service", "poor good excellent"), ("Input", "food", "rancid fine delicious"), ("Output", "tip", "cheap average generous")]:
        act(lambda: page.get_by_role("button", name=f"+ {kind}").click())
        type_into(editor.get_by_label(kind, exact=True), name)
        if kind == "Output":
            type_into(editor.get_by_label("to", exact=True), "30")
        for i, set_name in enumerate(sets.split()):
            type_into(page.get_by_label("Name of the set").nth(i), set_name)
    for text in [
        "if service is poor or food is rancid then tip is cheap",
        "if service is good then tip is average",
        "if service is excellent or food is delicious then tip is generous",
    ]:
        act(lambda: (page.get_by_label("New rule").fill(text), page.get_by_label("New rule").press("Enter")))
    expect(page.get_by_role("heading", name="Rules (3)")).to_be_visible()
    expect(page.locator(".system-problem").first).to_be_hidden()
    assert actions <= 40
    act(lambda: studio.view("Understand"))
    expect(page.locator(".output-value")).to_have_attribute("data-value", re.compile(r"^1\d\."))


def test_a_band_becomes_a_set_again(studio):
    studio.example("Heating with uncertain sets", "Design")
    expect(studio.page.locator(".chart.editable path.band")).to_have_count(3)
    for set_name in ("cold", "comfortable", "warm"):
        studio.page.get_by_role("button", name=f"Select {set_name}").click()
        studio.page.get_by_role("button", name="Remove upper set").click()
    expect(studio.page.locator(".chart.editable path.band")).to_have_count(0)


def test_the_activation_is_typed(studio):
    studio.example("Tipper", "Design")
    studio.page.get_by_text("Operators and settings").click()
    activation = studio.page.get_by_label("Activation")
    activation.fill("Highest 2")
    activation.press("Enter")
    expect(studio.page.locator(".system-problem").first).to_be_hidden()
    activation.fill("Best")
    activation.press("Enter")
    expect(studio.page.locator(".system-problem").first).to_contain_text("Best")


def test_changing_the_range_scales_the_sets(studio):
    studio.example("Tipper", "Design")
    upper = region(studio, "Selected variable").get_by_label("to", exact=True)
    upper.fill("20")
    upper.press("Enter")
    expect(parameter(studio, 1, 0)).to_have_value("10")
    expect(parameter(studio, 1, 1)).to_have_value("3")
