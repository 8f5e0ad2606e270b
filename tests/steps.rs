//! Several refactorings as one plan: on drafts that nobody else sees, or in a copy.

use serde_json::{Value, json};

use crate::explore::{begun, said};
use crate::faces::Project;
use crate::mcp::Client;

const ORDER: &str =
    "class Order:\n    def total(self) -> int:\n        return 1\n\n\ndef land() -> str:\n    return \"se\"\n";
const TILL: &str = "from order import Order, land\n\n\ndef pay(order: Order) -> int:\n    return order.total()\n\n\nprint(pay(Order()), land())\n";

fn shop() -> (Project, Client) {
    let project = Project::with(&[
        ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"),
        ("order.py", ORDER),
        ("till.py", TILL),
    ]);
    let client = begun(&project, "explore,write,refactor,plan");
    (project, client)
}

fn rename(target: &str, new_name: &str) -> Value {
    json!({"refactoring": "rename", "target": target, "params": {"new_name": new_name}})
}

fn previewed(client: &mut Client, steps: &[Value]) -> Value {
    let result = client.call("preview_refactoring", json!({"steps": steps}));
    assert_ne!(result["isError"], true, "{result}");
    toon_format::decode_default(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[test]
fn steps_see_drafts_and_leave_them_as_they_were() {
    let (project, mut client) = shop();
    said(&mut client, "edit_source", json!({"id": "order.py::land", "old": "\"se\"", "new": "\"no\""}));
    let drafted = ORDER.replace("\"se\"", "\"no\"");
    let steps = [
        rename("order.py::Order", "Sale"),
        rename("order.py::Sale::total", "amount"),
        rename("order.py::Sale::amount", "sum_"),
        rename("till.py::pay", "charge"),
    ];
    let preview = previewed(&mut client, &steps);
    let source = said(&mut client, "get_source", json!({"path": "order.py"}));
    assert_eq!(source["source"], drafted, "the draft stands, and nothing else");
    assert_eq!((project.text("order.py"), project.text("till.py")), (ORDER.to_owned(), TILL.to_owned()));
    // The servers see what stands, too.
    let uses = said(&mut client, "usages_of", json!({"id": "order.py::Order::total"}));
    assert_eq!(uses["usages"].as_array().unwrap().len(), 1, "{uses}");
    said(&mut client, "save", json!({}));
    let applied = client.call("applyPlan", json!({"planId": preview["preview"]["plan_id"]}));
    assert_ne!(applied["isError"], true, "{applied}");
    let order = drafted.replace("Order", "Sale").replace("total", "sum_");
    let till = TILL.replace("Order", "Sale").replace("total", "sum_").replace("pay", "charge");
    assert_eq!((project.text("order.py"), project.text("till.py")), (order, till));
}

#[test]
fn a_step_that_fails_or_is_cancelled_leaves_nothing_behind() {
    let (project, mut client) = shop();
    let steps = json!({"steps": [rename("order.py::Order", "Sale"), rename("order.py::Order", "Bill")]});
    let error = client.call("preview_refactoring", steps);
    assert!(error["isError"] == true && error.to_string().contains("step 2: "), "{error}");
    let steps: Vec<Value> = (0..40)
        .map(|at| match at % 2 {
            0 => rename("order.py::Order", "Sale"),
            _ => rename("order.py::Sale", "Order"),
        })
        .collect();
    let call = json!({"name": "preview_refactoring", "arguments": {"steps": steps}});
    let id = client.begin("tools/call", call);
    std::thread::sleep(std::time::Duration::from_millis(300));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let listed = said(&mut client, "list_declarations", json!({"path": "order.py"}));
    let names: Vec<&str> =
        listed["declarations"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Order", "total", "land"]);
    assert_eq!((project.text("order.py"), project.text("till.py")), (ORDER.to_owned(), TILL.to_owned()));
}

#[test]
fn others_see_the_project_as_it_is_while_steps_are_planned() {
    let (_project, mut client) = shop();
    // Warm before the calls begin together.
    previewed(&mut client, &[rename("order.py::land", "country"), rename("order.py::country", "land")]);
    let steps: Vec<Value> = ["a", "b", "c", "d"]
        .iter()
        .scan("land".to_owned(), |last, name| {
            let step = rename(&format!("order.py::{last}"), &format!("country_{name}"));
            *last = format!("country_{name}");
            Some(step)
        })
        .collect();
    let call = |tool: &str, arguments: Value| json!({"name": tool, "arguments": arguments});
    let batch = client.begin("tools/call", call("preview_refactoring", json!({"steps": steps})));
    let mut others = Vec::new();
    for _ in 0..10 {
        others.push(client.begin("tools/call", call("get_source", json!({"path": "order.py"}))));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    for other in others {
        let answer = client.answer(other);
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap()["source"], ORDER, "{answer}");
    }
    let answer = client.answer(batch);
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("country_d"), "{answer}");
}

/// Renames that have nothing to do with each other are planned side by side; what comes of it is what their order gives.
#[test]
fn independent_renames_are_what_they_are_one_after_the_other() {
    let (project, mut client) = shop();
    let steps =
        [rename("order.py::Order", "Sale"), rename("order.py::land", "country"), rename("till.py::pay", "charge")];
    // The same, in steps that depend on each other.
    let detour =
        [rename("order.py::Order", "Bill"), rename("order.py::Bill", "Sale"), steps[1].clone(), steps[2].clone()];
    let plan = |client: &mut Client, steps: &[Value]| {
        let preview = previewed(client, steps);
        let id = preview["preview"]["plan_id"].clone();
        let applied = client.call("applyPlan", json!({"planId": id}));
        assert_ne!(applied["isError"], true, "{applied}");
        let texts = (project.text("order.py"), project.text("till.py"));
        let undone = client.call("undoPlan", json!({"planId": id}));
        assert_ne!(undone["isError"], true, "{undone}");
        texts
    };
    let side_by_side = plan(&mut client, &steps);
    assert_eq!(side_by_side, plan(&mut client, &detour));
    assert!(side_by_side.1.ends_with("print(charge(Sale()), country())\n"), "{side_by_side:?}");
    // Names that meet: the second is asked about what the first has made.
    let swapped = plan(&mut client, &[rename("till.py::pay", "charge"), rename("order.py::land", "pay")]);
    assert!(swapped.1.ends_with("print(charge(Order()), pay())\n"), "{swapped:?}");
}

#[test]
fn steps_that_create_files_are_carried_out_in_a_copy() {
    let (project, mut client) = shop();
    let steps = [
        rename("order.py::land", "country"),
        json!({"refactoring": "move-symbol", "target": "order.py::country", "params": {"to": "places.py"}}),
        rename("places.py::country", "region"),
    ];
    let preview = previewed(&mut client, &steps);
    let applied = client.call("applyPlan", json!({"planId": preview["preview"]["plan_id"]}));
    assert_ne!(applied["isError"], true, "{applied}");
    assert_eq!(project.text("places.py"), "def region() -> str:\n    return \"se\"\n");
    let till = TILL.replace("from order import Order, land", "from order import Order\nfrom places import region");
    assert_eq!(project.text("till.py"), till.replace("land()", "region()"));
}
