"""The page as a whole: start, theme, keyboard, sizes, security, hostile systems, times."""

import json
import signal
import statistics

import pytest
from playwright.sync_api import expect

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'


def hostile_system(rules=3, parameters=(0, 5, 10)):
    name = HOSTILE + "\"'`${1}"
    sets = [{"name": f"{HOSTILE}{i}", "word": f"s{i}", "shape": "Triangle", "parameters": list(parameters)} for i in range(3)]
    return json.dumps(
        {
            "fuzzion": "system",
            "version": 1,
            "name": name,
            "description": name,
            "inputs": [{"name": f"{name}{i}", "word": f"x{i}", "range": [0, 10], "sets": sets} for i in range(2)],
            "outputs": [
                {"name": name, "word": "y", "range": [0, 10], "aggregation": "Maximum", "defuzzifier": "Centroid", "sets": sets}
            ],
            "blocks": [
                {
                    "name": name,
                    "conjunction": "Minimum",
                    "disjunction": "Maximum",
                    "implication": "Minimum",
                    "rules": [f"if x0 is s{i % 3} and x1 is s{i // 3 % 3} then y is s{i % 3} with 0.{i + 1}" for i in range(rules)],
                }
            ],
        }
    )


def test_the_gallery_shows_the_examples_and_the_pendulum_moves(studio):
    page = studio.page
    expect(page.get_by_role("article")).to_have_count(6)
    pole = page.locator(".pole")
    first = pole.get_attribute("transform")
    page.wait_for_function("before => document.querySelector('.pole').getAttribute('transform') !== before", arg=first)
    page.get_by_role("button", name="Push the pole to the left").click()


def test_names_with_markup_do_not_run(studio):
    studio.drop("hostile.json", hostile_system())
    page = studio.page
    expect(page.locator(".variable-name").first).to_contain_text("<img src=x")
    for button in ("Table", "Matrix", "Text"):
        page.get_by_role("button", name=button, exact=True).click()
    studio.view("Understand")
    expect(page.get_by_text("2 of 3 fire").or_(page.get_by_text("3 of 3 fire"))).to_be_visible()
    page.get_by_role("button", name="Export").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script").count() == 0


def test_ten_thousand_rules_do_not_freeze_the_page(studio):
    page = studio.page
    page.evaluate(
        """() => {
            window.longest = 0;
            let last = performance.now();
            const tick = () => {
                const now = performance.now();
                window.longest = Math.max(window.longest, now - last);
                last = now;
                requestAnimationFrame(tick);
            };
            tick();
        }"""
    )
    studio.drop("many.json", hostile_system(rules=10_000))
    expect(page.get_by_role("heading", name="Rules (10000)")).to_be_visible(timeout=60_000)
    expect(page.locator(".rule-row")).not_to_have_count(0)
    assert page.locator(".rule-row").count() < 60
    page.locator(".virtual").first.evaluate("list => { list.scrollTop = 200000; }")
    expect(page.get_by_label("Text of rule 5001", exact=True)).to_be_visible()
    page.get_by_label("Use rule 5001", exact=True).uncheck()
    studio.view("Understand")
    expect(page.get_by_text("of 10000 fire")).to_be_visible(timeout=60_000)
    longest = page.evaluate("window.longest")
    print(f"longest frame with 10,000 rules: {longest:.0f} ms")


def test_nan_parameters_are_an_error_of_the_set(studio):
    studio.drop("nan.json", hostile_system(parameters=("nan", 5, 10)))
    expect(studio.page.get_by_text("left")).not_to_have_count(0)
    assert studio.page.evaluate("1 + 1") == 2


def test_the_theme_is_switched_and_kept(studio):
    page = studio.page
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Switch between light and dark").click()
    dark = page.evaluate(background)
    assert dark != light
    page.reload()
    page.get_by_role("article").first.wait_for()
    assert page.evaluate(background) == dark


@pytest.mark.parametrize("width", [1024, 390])
def test_nothing_is_wider_than_the_window(studio, width):
    page = studio.open(viewport={"width": width, "height": 800})
    for view in ("Start", "Design", "Understand"):
        if view == "Design":
            page.get_by_role("button", name="Open Tipper").click()
        studio.view(view, page)
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view


def test_tabs_work_with_the_keyboard_and_controls_have_names(studio):
    page = studio.page
    studio.example("Tipper")
    page.get_by_role("tab", name="Understand").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Design")).to_have_attribute("aria-selected", "true")
    nameless = """() => [...document.querySelectorAll("button, input, select, textarea, canvas, svg[role]")]
        .filter(node => node.offsetParent !== null && !(node.getAttribute("aria-label") || node.textContent.trim() || node.closest("label")))
        .map(node => node.outerHTML)"""
    assert page.evaluate(nameless) == []
    studio.view("Understand")
    assert page.evaluate(nameless) == []


def test_requests_of_other_pages_are_refused(studio):
    page = studio.page
    other = studio.url.rstrip("/").rsplit("/", 1)[0] + "/" + "0" * 36 + "/"
    assert page.request.get(other).status == 403
    assert page.request.get(studio.url, headers={"Origin": "http://evil.example"}).status == 403
    assert page.request.get(studio.url, headers={"Host": "evil.example"}).status == 403
    assert page.request.get(studio.url).status == 200


def test_an_inline_script_is_blocked(studio):
    studio.page.evaluate("() => { const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s); }")
    assert studio.page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in error for error in studio.errors)
    studio.errors.clear()


def test_ctrl_c_ends_the_server_and_closing_the_tab_does_not(studio):
    studio.page.close()
    assert studio.process.poll() is None
    studio.process.send_signal(signal.SIGINT)
    assert studio.process.wait(timeout=20) == 0


def test_times_of_the_live_update_and_of_the_surface(studio):
    """Prints the times from the event to the end of drawing; they depend on the machine, so that nothing is required."""
    studio.example("Inverted pendulum", "Design")
    page = studio.page
    page.get_by_role("button", name="Select upright").click()
    handle = page.locator("circle.handle").nth(2)
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate("performance.clearMeasures('live update')")
    for i in range(200):
        page.mouse.move(x + 80 * (i % 20) / 20, y)
    page.mouse.up()
    page.wait_for_timeout(300)
    times = sorted(page.evaluate("performance.getEntriesByName('live update').map(entry => entry.duration)"))
    assert times
    tail = times[int(0.95 * (len(times) - 1))]
    print(f"live update: {len(times)} drawings for 200 events, median {statistics.median(times):.1f} ms, 95 % {tail:.1f} ms")
    studio.view("Understand")
    page.wait_for_function("() => performance.getEntriesByName('surface').length > 0")
    for i in range(20):
        page.get_by_label("Value of angle as a number").fill(str(i))
        page.get_by_label("Value of angle as a number").press("Enter")
        page.wait_for_timeout(60)
    surfaces = page.evaluate("performance.getEntriesByName('surface').map(entry => entry.duration)")
    print(f"surface of 101 × 101: median {statistics.median(surfaces):.1f} ms of {len(surfaces)}")
