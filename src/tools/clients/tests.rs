//! Entries come and go, and all else in a configuration stays.

use super::{CLIENTS, Client, Form, Wish, changed_text, new_text};

fn written(client: &Client, text: &str) -> String {
    changed_text(client, text, Wish::Written).unwrap().unwrap()
}

#[test]
fn a_new_configuration_holds_the_entry_and_goes_with_it() {
    for client in CLIENTS {
        let text = new_text(client);
        assert!(text.contains("lspwright") && text.contains("serve"), "{}: {text}", client.name);
        assert_eq!(written(client, &text), text, "{}: written twice it is the same", client.name);
        assert_eq!(changed_text(client, &text, Wish::Removed).unwrap(), None, "{}", client.name);
    }
}

#[test]
fn what_else_a_configuration_holds_stays() {
    for client in CLIENTS {
        let text = match &client.form {
            Form::Json(object, _) => {
                format!(
                    "{{\n  // mine\n  \"theme\": \"dark\",\n  \"{object}\": {{\n    \"other\": {{ \"command\": \"x\" }}\n  }}\n}}\n"
                )
            }
            Form::Toml => "# mine\nmodel = \"o\"\n\n[mcp_servers.other]\ncommand = \"x\"\n".to_owned(),
        };
        let with = written(client, &text);
        assert!(with.contains("mine") && with.contains("other") && with.contains("lspwright"), "{with}");
        assert_eq!(changed_text(client, &with, Wish::Removed).unwrap().unwrap(), text, "{}", client.name);
        assert_eq!(changed_text(client, &text, Wish::Removed).unwrap().unwrap(), text, "{}", client.name);
    }
}

#[test]
fn what_is_not_understood_is_left_alone() {
    for client in CLIENTS {
        assert!(changed_text(client, "{ nonsense", Wish::Written).is_err(), "{}", client.name);
    }
}
