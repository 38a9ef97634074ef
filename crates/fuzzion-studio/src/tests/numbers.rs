//! Formulas over fuzzy numbers, against the library.

use super::{Answer, Running};
use fuzzion::Device;
use fuzzion::arithmetic::{Evaluation, Expr, LuArray, MrArray, NumberDefuzzifier};
use serde_json::{Value, json};

fn request(formula: &str, values: &[(&str, &str)], cuts: usize) -> Value {
    let values: Vec<Value> =
        values.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
    json!({ "formula": formula, "values": values, "cuts": cuts, "encoding": "lu", "precision": "f64", "method": "direct" })
}

fn answer(server: &Running, body: &Value) -> Answer {
    server.post("numbers", body)
}

fn bounds(result: &Value) -> Vec<[f64; 2]> {
    let cut = |cut: &Value| [cut[1].as_f64().unwrap(), cut[2].as_f64().unwrap()];
    result["cuts"].as_array().unwrap().iter().map(cut).collect()
}

#[test]
fn the_result_is_that_of_the_library() {
    let server = Running::new();
    let device = Device::cpu().unwrap();
    let expr = Expr::new("tri(1, 2, 3) * (a + 2)").unwrap();
    let result = answer(&server, &request("tri(1, 2, 3) * (a + 2)", &[("a", "trap(1, 2, 3, 4)")], 3)).json();
    let a = LuArray::<f64>::parse(3, &["trap(1, 2, 3, 4)"]).unwrap();
    let expected = expr.apply(&[("a", &a)], 3, Evaluation::Direct, &device).unwrap();
    // [1, 3]·[3, 6], [1.5, 2.5]·[3.5, 5.5] and [2, 2]·[4, 5].
    assert_eq!(bounds(&result["result"]), [[3.0, 18.0], [5.25, 13.75], [8.0, 10.0]]);
    let of_library = (0..3).map(|i| expected.cut(0, i)).map(|cut| [cut.lower, cut.upper]).collect::<Vec<_>>();
    assert_eq!(bounds(&result["result"]), of_library);
    assert_eq!(result["result"]["text"], json!(expected.text(0)));
    assert_eq!(result["result"]["centroid"].as_f64(), expected.defuzzify(NumberDefuzzifier::Centroid)[0]);
    assert_eq!(result["result"]["bounds"], json!([["3.00", "18.00"], ["5.25", "13.75"], ["8.00", "10.00"]]));
    assert_eq!(
        result["values"][0]["number"]["bounds"],
        json!([["1.0", "4.0"], ["1.5", "3.5"], ["2.0", "3.0"]])
    );
    assert_eq!((&result["values"][0]["used"], &result["error"]), (&json!(true), &Value::Null));
    let command = "fuzzion calc 'tri(1, 2, 3) * (a + 2)' --let 'a=trap(1, 2, 3, 4)' --cuts 3";
    assert_eq!(result["command"], json!(command));
}

#[test]
fn all_methods_and_encodings_are_compared() {
    let server = Running::new();
    let device = Device::cpu().unwrap();
    let mut body = request("x * (1 - x)", &[("x", "tri(0, 0.5, 1)")], 5);
    body["encoding"] = json!("mr");
    body["precision"] = json!("mixed");
    body["method"] = json!("vertex");
    let result = answer(&server, &body).json();
    let methods = result["methods"].as_array().unwrap();
    assert_eq!(methods.len(), 7);
    let expr = Expr::new("x * (1 - x)").unwrap();
    let x = LuArray::<f64>::parse(5, &["tri(0, 0.5, 1)"]).unwrap();
    for (row, method) in methods.iter().zip(Evaluation::ALL) {
        let support = expr.apply(&[("x", &x)], 5, method, &device).unwrap().cut(0, 0);
        assert_eq!(row["support_width"].as_f64(), Some(support.width()), "{method}");
        assert_eq!((&row["encoding"], &row["method"]), (&json!("lu"), &json!(method.name())));
    }
    assert_eq!(methods.iter().filter(|row| row["chosen"] == true).count(), 1);
    let x = MrArray::<f64, f32>::parse(5, &["tri(0, 0.5, 1)"]).unwrap();
    let expected = expr.apply(&[("x", &x)], 5, Evaluation::Vertex, &device).unwrap();
    assert_eq!(result["result"]["text"], json!(expected.text(0)));
    assert_eq!(result["result"]["relative_widths"].as_array().unwrap().len(), 5);
    let sentences = result["sentences"].to_string();
    assert!(
        sentences.contains("Vertex is narrower than direct") && sentences.contains("`x` occurs 2 times"),
        "{sentences}"
    );
    let command = result["command"].as_str().unwrap();
    assert!(command.ends_with("--cuts 5 --encoding mr --precision mixed --method vertex"), "{command}");
}

#[test]
fn problems_have_positions() {
    let server = Running::new();
    let problem = |formula: &str, values: &[(&str, &str)]| {
        let result = answer(&server, &request(formula, values, 4)).json();
        assert_eq!(result["result"], Value::Null, "{formula}");
        let error = &result["error"];
        (error["column"].as_u64().unwrap(), error["problem"].as_str().unwrap().to_owned())
    };
    let expect = |(column, text): (u64, String), expected: (u64, &str)| {
        assert!(column == expected.0 && text.contains(expected.1), "{column}: {text}");
    };
    expect(problem("1 + * 2", &[]), (5, "before `*`"));
    expect(problem("2 * tri(1, 3, 2)", &[]), (15, "`right` is 2"));
    expect(problem("1 + sin(2)", &[]), (5, "unknown function `sin`"));
    expect(problem("1 + a", &[]), (5, "`a` has no value"));
    expect(problem("1 + a", &[("a", "")]), (5, "missing or invalid"));
    // All cuts have to be given.
    expect(problem("cuts([1, 3], [2, 2])", &[]), (1, "4 alpha-cuts"));
    let result = answer(
        &server,
        &request("1 + a", &[("a", "tri(1, 2"), ("a", "2"), ("2x", "1"), ("", "1"), ("", "")], 4),
    )
    .json();
    let errors: Vec<&str> =
        (0..4).map(|i| result["values"][i]["error"]["problem"].as_str().unwrap()).collect();
    assert!(errors[0].contains("expected `,` or `)`"), "{errors:?}");
    assert!(
        errors[1].contains("two values")
            && errors[2].contains("cannot be a name")
            && errors[3].contains("needs a name"),
        "{errors:?}"
    );
    assert_eq!(result["values"][4]["error"], Value::Null);
    assert_eq!(answer(&server, &request("b + c", &[], 4)).json()["unbound"], json!(["b", "c"]));
    let empty = answer(&server, &request(" ", &[("a", "[1, 2]")], 2)).json();
    assert_eq!((&empty["error"], &empty["values"][0]["used"]), (&Value::Null, &json!(false)));
}

#[test]
fn unbounded_results_are_texts() {
    let server = Running::new();
    let result = answer(&server, &request("1 / x", &[("x", "[-1, 1]")], 2)).json();
    assert_eq!(result["result"]["cuts"][0], json!([0.0, "-inf", "inf"]));
    assert_eq!((&result["result"]["centroid"], &result["result"]["bounded"]), (&Value::Null, &json!(false)));
    let gauss = answer(&server, &request("gauss(5, 1) * 2", &[], 3)).json();
    assert_eq!(gauss["result"]["bounds"][0], json!(["-inf", "inf"]));
}

#[test]
fn requests_beyond_the_limits_are_refused() {
    let server = Running::new();
    let long = "1 + ".repeat(1000) + "1";
    for (body, message) in [
        (request(&long, &[], 4), "4000 characters"),
        (request("1", &[], 0), "use 1 to 1000"),
        (request("1", &[], 1001), "use 1 to 1000"),
        (request("1", &[("a", "1"); 101], 4), "more than 100 values"),
    ] {
        let refused = answer(&server, &body);
        assert!(refused.status == 422 && refused.error().contains(message), "{}", refused.error());
    }
    for (name, value) in
        [("encoding", "xy"), ("precision", "mixed"), ("precision", "f16"), ("method", "best")]
    {
        let mut body = request("1", &[], 4);
        body[name] = json!(value);
        assert_eq!(answer(&server, &body).status, 422, "{name}");
    }
    assert_eq!(answer(&server, &json!({ "formula": 1 })).status, 400);
    // Bisection of a long formula is left out, or refused if it was chosen.
    let mut body = request(&format!("{}x", "x * ".repeat(900)), &[("x", "[1, 2]")], 1000);
    let result = answer(&server, &body).json();
    assert!(result["result"].is_object());
    assert!(result["sentences"].to_string().contains("Vertex is left out"), "{}", result["sentences"]);
    body["method"] = json!("vertex");
    assert!(answer(&server, &body).json()["error"]["problem"].as_str().unwrap().contains("reduce the cuts"));
    let nested = "(".repeat(3000);
    assert!(
        answer(&server, &request(&nested, &[], 4)).json()["error"]["problem"]
            .as_str()
            .unwrap()
            .contains("nested")
    );
}
