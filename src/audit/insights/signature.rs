//! Signatures as compilers and explorers print them, read as the types that they name.

use crate::solidity::selector;

/// Tells whether what was asked for is a function with one of these signatures, which all mean the same: `f(uint256)`,
/// `(uint256)`, `f(uint amount)`, `function f(uint256 amount) external`, `V.f(uint256)`, `0x…`.
pub(super) fn fits(wanted: &str, signatures: &[String]) -> bool {
    let wanted = wanted.trim();
    if let Some(digits) = wanted.strip_prefix("0x") {
        let is_selector = |one: &String| selector(one).eq_ignore_ascii_case(&format!("0x{digits}"));
        return signatures.iter().any(is_selector);
    }
    let Some(types) = types(wanted) else { return false };
    let same = |one: &String| {
        self::types(one).is_some_and(|own| own.len() == types.len() && own.iter().zip(&types).all(|(a, b)| alike(a, b)))
    };
    signatures.iter().any(same)
}

/// Tells whether two types are called the same; one may be written with the contract that declares it.
fn alike(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('.'));
    one == other || ends(one, other) || ends(other, one)
}

/// Returns the types in the first parentheses, without names, data locations and spaces.
fn types(signature: &str) -> Option<Vec<String>> {
    let from = signature.find('(')?;
    let inside = signature.get(from + 1..from + closing(&signature[from..])?)?;
    Some(parts(inside).into_iter().map(type_of).collect())
}

/// Returns where the parenthesis closes that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().find_map(|(at, character)| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Splits at the commas that stand in no parentheses.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_usize, 0, Vec::new());
    for (at, character) in list.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&list[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    if !list.trim().is_empty() {
        parts.push(&list[from..]);
    }
    parts
}

/// Writes a parameter's type as the ABI does where it can be told from the text alone.
fn type_of(parameter: &str) -> String {
    let parameter = parameter.trim();
    let parameter =
        parameter.strip_prefix("tuple").filter(|rest| rest.trim_start().starts_with('(')).unwrap_or(parameter);
    let parameter = parameter.trim_start();
    if parameter.starts_with('(') {
        let end = closing(parameter).unwrap_or(parameter.len() - 1);
        let inner: Vec<String> = parts(&parameter[1..end]).into_iter().map(type_of).collect();
        let rest = parameter.get(end + 1..).unwrap_or_default().trim_start();
        return format!("({}){}", inner.join(","), brackets(rest));
    }
    if parameter.starts_with("mapping") || parameter.starts_with("function") {
        let end = parameter.find('(').and_then(|at| Some(at + closing(&parameter[at..])?));
        let whole = parameter.get(..=end.unwrap_or(parameter.len() - 1)).unwrap_or(parameter);
        return whole.split_whitespace().collect();
    }
    let mut words = parameter.split_whitespace();
    let mut first = words.next().unwrap_or_default();
    if matches!(first, "struct" | "enum" | "contract") {
        first = words.next().unwrap_or(first);
    }
    let end = first.find('[').unwrap_or(first.len());
    let base = match &first[..end] {
        "uint" => "uint256",
        "int" => "int256",
        "byte" => "bytes1",
        other => other,
    };
    let behind = &parameter[parameter.find(first).unwrap_or_default() + end..];
    let behind = behind.trim_start();
    let behind = behind.strip_prefix("payable").filter(|_| base == "address").unwrap_or(behind).trim_start();
    format!("{base}{}", brackets(behind))
}

/// Returns the `[…]` that a text begins with, without spaces.
fn brackets(text: &str) -> String {
    let mut all = String::new();
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix('[') {
        let Some((length, behind)) = inner.split_once(']') else { break };
        all.push_str(&format!("[{}]", length.trim()));
        rest = behind.trim_start();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn however_it_is_printed() {
        let own = [
            "pay(address,uint256[2][],(uint8,address)[],bytes)".to_owned(),
            "pay(IToken,uint[2][],L.Order[],bytes)".to_owned(),
        ];
        let prints = [
            "pay(address,uint256[2][],(uint8,address)[],bytes)",
            "(address , uint [2] [ ],(uint8,address) [],bytes)",
            "function pay(address payable to, uint[2][] calldata list, tuple(uint8 kind, address who)[] memory orders, bytes data) external returns (bool)",
            "Vault.pay(IToken token, uint256[2][] memory list, Order[] calldata orders, bytes memory data)",
            "pay(contract IToken,uint256[2][] memory,struct L.Order[] memory,bytes calldata)",
        ];
        for print in prints {
            assert!(fits(print, &own), "{print}");
        }
        for other in ["pay(address)", "pay", "pay(address,uint256[3][],(uint8,address)[],bytes)", "pay()"] {
            assert!(!fits(other, &own), "{other}");
        }
        let transfer = ["transfer(address,uint256)".to_owned()];
        assert!(fits("0xa9059cbb", &transfer) && fits("0xA9059CBB", &transfer) && !fits("0x00000000", &transfer));
        assert!(fits("f()", &["f()".to_owned()]) && fits("f( )", &["f()".to_owned()]));
        assert!(fits("f(mapping(uint => bool) storage m)", &["f(mapping(uint=>bool) storage)".to_owned()]));
    }
}
