//! Ids that async-lsp cannot hold.

use super::with_foreign_id;

#[test]
fn a_foreign_id_comes_back_as_it_was() {
    let body = r#"{"jsonrpc":"2.0","id":"lspwright-id:3000000000","result":{"x":"\"id\":\"lspwright-id:1\""}}"#;
    let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let body = r#"{"jsonrpc":"2.0","id":3000000000,"result":{"x":"\"id\":\"lspwright-id:1\""}}"#;
    let expected = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    assert_eq!(String::from_utf8(with_foreign_id(message.into())).unwrap(), expected);
}
