"""The view Understand: live inference, surface, comparison, checks."""

import re

from playwright.sync_api import expect


def pixels(page, label):
    """Number of different colors of a canvas."""
    return page.locator(f"canvas[aria-label^='{label}']").evaluate(
        """canvas => {
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            const colors = new Set();
            for (let i = 0; i < data.length; i += 4) colors.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
            return colors.size;
        }"""
    )


def test_sliders_change_memberships_strengths_and_outputs(studio):
    studio.example("Tipper")
    page = studio.page
    expect(page.locator(".output-value")).to_have_text("15")
    slider = page.get_by_label("Value of service", exact=True)
    slider.focus()
    slider.press("End")
    expect(page.locator(".memberships dd").nth(2)).to_contain_text("1")
    expect(page.locator(".strength-row").nth(2)).to_contain_text("1")
    expect(page.locator(".output-value")).to_have_text("24.923")
    rows = page.locator(".contributions tbody tr")
    expect(rows.first).to_contain_text("generous")
    expect(page.locator(".output-block path.clipped")).not_to_have_count(0)
    expect(page.locator(".output-block path.aggregated")).to_have_count(1)


def test_rules_are_sorted_by_strength(studio):
    studio.example("Truck backer-upper")
    studio.page.get_by_label("strongest first").check()
    expect(studio.page.locator(".strength-row").first).to_contain_text("if x is center and angle is vertical then steering is straight")


def test_the_surface_is_drawn_and_a_click_moves_the_inputs(studio):
    studio.example("Inverted pendulum")
    page = studio.page
    expect(page.get_by_text("force is from")).to_be_visible()
    assert pixels(page, "Control surface: ") > 100
    assert pixels(page, "Control surface in three") > 100
    heat = page.locator("canvas[aria-label^='Control surface: ']")
    heat.scroll_into_view_if_needed()
    box = heat.bounding_box()
    page.mouse.click(box["x"] + 56 + (box["width"] - 134) * 0.75, box["y"] + box["height"] / 2)
    field = page.get_by_label("Value of angle as a number")
    expect(field).to_have_value(re.compile(r"^1[45]"))


def test_the_surface_is_rotated(studio):
    studio.example("Inverted pendulum")
    canvas = studio.page.locator("canvas[aria-label^='Control surface in three']")
    expect(studio.page.get_by_text("force is from")).to_be_visible()
    canvas.focus()
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    canvas.press("ArrowRight")
    assert canvas.evaluate("canvas => canvas.toDataURL()") != before


def test_cross_sections_show_the_output_at_the_inputs(studio):
    studio.example("Inverted pendulum")
    expect(studio.page.get_by_label(re.compile(r"force over angle; at 0 it is"))).to_be_visible()
    expect(studio.page.get_by_label(re.compile(r"force over speed; at 0 it is"))).to_be_visible()


def test_points_without_rules_are_reported(studio):
    studio.example("Inverted pendulum", "Design")
    studio.page.get_by_role("button", name="Delete rule 1", exact=True).click()
    studio.view("Understand")
    expect(studio.page.get_by_text(re.compile("No rule fires at .* % of the points"))).to_be_visible()


def test_two_dialects_are_compared(studio):
    studio.example("Tipper")
    studio.page.get_by_label("Compare with").select_option("dialect:matlab")
    expect(studio.page.get_by_text(re.compile("tip differs by up to"))).to_be_visible()
    assert pixels(studio.page, "Difference") > 10
    studio.page.get_by_label("Compare with").select_option("dialect:fuzzylite8")
    expect(studio.page.get_by_text("There is no difference.")).to_be_visible()


def test_a_planted_contradiction_is_found(studio):
    studio.example("Inverted pendulum", "Design")
    field = studio.page.get_by_label("New rule")
    field.fill("if speed is still and angle is left then force is strong_right")
    field.press("Enter")
    studio.view("Understand")
    finding = studio.page.locator(".finding", has_text="contradict")
    expect(finding).to_contain_text("Rules 2 and 10 contradict each other")
    expect(finding).to_contain_text("Delete one of the rules")


def test_a_system_without_findings_says_so(studio):
    studio.example("Inverted pendulum")
    expect(studio.page.get_by_text("Nothing found.")).to_be_visible()


def test_interval_systems_show_intervals(studio):
    studio.example("Heating with uncertain sets")
    expect(studio.page.locator(".output-value")).to_contain_text("[")
    expect(studio.page.locator(".input-block path.band").first).to_be_visible()


def test_a_system_is_compared_with_a_file(studio, tmp_path):
    studio.example("Tipper")
    studio.page.get_by_role("button", name="Save as").click()
    studio.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(studio.page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    studio.view("Design")
    studio.page.get_by_label("Use rule 2").uncheck()
    studio.page.wait_for_function("() => Object.keys(localStorage).some(key => localStorage[key].includes('with 0'))")
    studio.page.close()
    studio.open_again().get_by_role("button", name="Restore").click()
    studio.view("Understand")
    studio.page.get_by_label("Compare with").select_option("file:tipper.fll")
    expect(studio.page.get_by_text(re.compile("tip differs by up to"))).to_be_visible()
