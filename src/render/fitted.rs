//! Answers that fit: of every list as many rows as there is room for, and how to get the rest.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::tokens::tokens;
use super::toon::write_toon;
use crate::text::ContentHash;

/// What an answer is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFormat {
    Json,
    Toon,
}

/// Which part of an answer is wanted, and how large it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Tokens, as [`tokens`] counts them.
    pub room: usize,
    /// How many rows of each list at most.
    pub limit: Option<usize>,
    /// Where an earlier part ended, as that part's `more.cursor` said.
    pub cursor: Option<String>,
    pub rest: Continuation,
}

/// Whether a caller can ask for the rest of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Continuation {
    /// By the cursor that came with the part.
    Cursor,
    /// Not at all: asking again would do it again.
    Counted,
}

/// Why there is no such part of an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCursor {
    #[error("`{0}` is not a cursor of an answer")]
    Malformed(String),
    #[error("the answer is another one than the one that the cursor came with")]
    Outdated,
}

/// What the note of the rest costs at most.
const NOTE: usize = 150;
/// Longer texts in a cell are cut where an answer does not fit, in bytes.
const CELL: usize = 5_000;
/// So many attempts to fit, each with less room.
const ATTEMPTS: usize = 6;

/// Writes as much of an answer as fits. Its lists, wherever they stand in it, are cut behind some row; each gets an equal
/// share, and what a short one does not need goes to the others. What is left out is counted in `more`, with the cursor
/// that the rest is asked for with. The rest of a list begins where the last row ended; lists that were told to their end
/// are not told again.
///
/// # Errors
/// Where the cursor came with another answer.
pub fn fitted(answer: Value, shape: AnswerFormat, window: &Window) -> Result<String, BadCursor> {
    let mut answer = Taken::apart(answer);
    if let Some(cursor) = &window.cursor {
        answer.go_on(cursor)?;
    }
    let mut room = window.room;
    for _ in 0..ATTEMPTS {
        let counts = answer.shares(room, shape, window.limit);
        let written = written(&answer.put_together(&counts, window.rest), shape);
        let cost = tokens(&written);
        if cost <= window.room {
            return Ok(written);
        }
        answer.cut_cells();
        room = room.saturating_sub(cost - window.room).max(room / 2);
    }
    let least = answer.shares(0, shape, window.limit);
    Ok(written(&answer.put_together(&least, window.rest), shape))
}

fn written(answer: &Value, shape: AnswerFormat) -> String {
    match shape {
        AnswerFormat::Json => answer.to_string(),
        AnswerFormat::Toon => write_toon(answer),
    }
}

/// An answer without its lists, and these.
struct Taken {
    head: Value,
    lists: Vec<List>,
}

struct List {
    /// The keys that lead to it.
    path: Vec<String>,
    rows: Vec<Row>,
    /// For a list of lists, the key of the inner ones.
    inner: Option<String>,
    /// The rows before were told already.
    from: usize,
}

struct Row {
    /// What stands around a row of an inner list, and which one of them it is.
    around: Option<(usize, Value)>,
    /// Nothing where an inner list is empty.
    row: Option<Value>,
}

impl Taken {
    fn apart(mut head: Value) -> Self {
        let mut lists = Vec::new();
        take(&mut head, &mut Vec::new(), &mut lists);
        Self { head, lists }
    }

    /// Leaves out what was told before.
    fn go_on(&mut self, cursor: &str) -> Result<(), BadCursor> {
        let malformed = || BadCursor::Malformed(cursor.to_owned());
        let (places, of) = cursor.rsplit_once(';').ok_or_else(malformed)?;
        let mut from = BTreeMap::new();
        for place in places.split(',') {
            let (name, at) = place.split_once('=').ok_or_else(malformed)?;
            from.insert(name, at.parse::<usize>().map_err(|_| malformed())?);
        }
        for list in &mut self.lists {
            match from.remove(list.name().as_str()) {
                Some(at) if at <= list.rows.len() => list.from = at,
                Some(_) => return Err(BadCursor::Outdated),
                None => drop(remove(&mut self.head, &list.path)),
            }
        }
        let gone: Vec<bool> = self.lists.iter().map(|list| at(&mut self.head, &list.path).is_none()).collect();
        let mut gone = gone.into_iter();
        self.lists.retain(|_| !gone.next().unwrap_or_default());
        let is_same = from.is_empty() && sign(self.lists.iter()) == of;
        is_same.then_some(()).ok_or(BadCursor::Outdated)
    }

    /// Tells how many rows of each list there is room for; one at least where there are any.
    fn shares(&self, room: usize, shape: AnswerFormat, limit: Option<usize>) -> Vec<usize> {
        let none = vec![0; self.lists.len()];
        let mut left =
            room.saturating_sub(tokens(&written(&self.put_together(&none, Continuation::Counted), shape)) + NOTE);
        let mut shares: Vec<(usize, usize)> = vec![(0, 0); self.lists.len()];
        let most = |list: &List| limit.unwrap_or(usize::MAX).min(list.rows.len() - list.from);
        loop {
            let open = self.lists.iter().zip(&shares).enumerate();
            let open = open.filter(|(_, (list, (count, _)))| *count < most(list));
            let Some((next, cost)) = open
                .map(|(at, (list, (count, spent)))| (at, *spent, list.cost(list.from + count, shape)))
                .filter(|(_, _, cost)| *cost <= left)
                .min_by_key(|(_, spent, cost)| spent + cost)
                .map(|(at, _, cost)| (at, cost))
            else {
                break;
            };
            left -= cost;
            shares[next].0 += 1;
            shares[next].1 += cost;
        }
        let mut counts: Vec<usize> = shares.into_iter().map(|(count, _)| count).collect();
        if counts.iter().all(|count| *count == 0)
            && let Some(first) = self.lists.iter().position(|list| most(list) > 0)
        {
            counts[first] = 1;
        }
        counts
    }

    /// Shortens what is too long for any answer.
    fn cut_cells(&mut self) {
        cut(&mut self.head);
        for row in self.lists.iter_mut().flat_map(|list| &mut list.rows) {
            row.row.iter_mut().for_each(cut);
            row.around.iter_mut().for_each(|(_, around)| cut(around));
        }
    }

    fn put_together(&self, counts: &[usize], rest: Continuation) -> Value {
        let mut answer = self.head.clone();
        for (list, count) in self.lists.iter().zip(counts) {
            if let Some(place) = at(&mut answer, &list.path) {
                *place = list.part(*count);
            }
        }
        let is_open = |(list, count): &(&List, &usize)| list.from + **count < list.rows.len();
        let open: Vec<(&List, &usize)> = self.lists.iter().zip(counts).filter(is_open).collect();
        if open.is_empty() || counts.iter().all(|count| *count == 0) {
            return answer;
        }
        let left: Map<String, Value> =
            open.iter().map(|(list, count)| (list.name(), (list.rows.len() - list.from - **count).into())).collect();
        let places = open.iter().map(|(list, count)| format!("{}={}", list.name(), list.from + **count));
        let places: Vec<String> = places.collect();
        answer["more"] = json!({ "left": left });
        if rest == Continuation::Cursor {
            let sign = sign(open.iter().map(|(list, _)| *list));
            answer["more"]["cursor"] = format!("{};{sign}", places.join(",")).into();
        }
        answer
    }
}

impl List {
    fn name(&self) -> String {
        self.path.join(".")
    }

    fn cost(&self, at: usize, shape: AnswerFormat) -> usize {
        let Row { around, row } = &self.rows[at];
        let is_first = around.as_ref().is_some_and(|(group, _)| {
            at == self.from || self.rows[at - 1].around.as_ref().is_none_or(|(before, _)| before != group)
        });
        let around = around.as_ref().filter(|_| is_first).map_or(0, |(_, around)| row_cost(around, shape) + 10);
        around + row.as_ref().map_or(0, |row| row_cost(row, shape))
    }

    fn part(&self, count: usize) -> Value {
        let rows = &self.rows[self.from..self.from + count];
        let Some(inner) = &self.inner else { return rows.iter().filter_map(|row| row.row.clone()).collect() };
        let mut groups: Vec<(usize, Value)> = Vec::new();
        for Row { around, row } in rows {
            let Some((number, around)) = around else { continue };
            if groups.last().is_none_or(|(last, _)| last != number) {
                groups.push((*number, around.clone()));
            }
            let rows = groups.last_mut().and_then(|(_, group)| group.get_mut(inner)).and_then(Value::as_array_mut);
            if let (Some(rows), Some(row)) = (rows, row) {
                rows.push(row.clone());
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }
}

/// A short hash of lists: by it a cursor knows the answer that it came with.
fn sign<'a>(lists: impl Iterator<Item = &'a List>) -> String {
    let rows = lists.flat_map(|list| &list.rows).map(|row| format!("{:?}{:?}", row.around, row.row));
    ContentHash::of(rows.collect::<String>().as_bytes()).as_str()[..8].to_owned()
}

fn row_cost(row: &Value, shape: AnswerFormat) -> usize {
    match (shape, row) {
        // Of uniform rows the keys are written once.
        (AnswerFormat::Toon, Value::Object(cells)) => {
            let cost = |cell: &Value| 1 + cell.as_str().map_or_else(|| tokens(&cell.to_string()), tokens);
            2 + cells.values().map(cost).sum::<usize>()
        }
        _ => tokens(&row.to_string()) + 2,
    }
}

/// Takes the lists out of a value; empty ones stay in their places.
fn take(value: &mut Value, path: &mut Vec<String>, lists: &mut Vec<List>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                path.push(key.clone());
                take(inner, path, lists);
                path.pop();
            }
        }
        Value::Array(rows) => {
            let rows = std::mem::take(rows);
            let inner = inner_list(&rows);
            let rows = match &inner {
                Some(key) => rows.into_iter().enumerate().flat_map(|(at, row)| flat(at, row, key)).collect(),
                None => rows.into_iter().map(|row| Row { around: None, row: Some(row) }).collect(),
            };
            lists.push(List { path: path.clone(), rows, inner, from: 0 });
        }
        _ => {}
    }
}

/// Returns the key under which every row holds a list, where that is one key.
fn inner_list(rows: &[Value]) -> Option<String> {
    let first = rows.first()?.as_object()?;
    let (key, _) = first.iter().find(|(_, value)| value.is_array())?;
    rows.iter().all(|row| row.get(key).is_some_and(Value::is_array)).then(|| key.clone())
}

fn flat(number: usize, mut row: Value, key: &str) -> Vec<Row> {
    let inner = row.get_mut(key).and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
    if inner.is_empty() {
        return vec![Row { around: Some((number, row)), row: None }];
    }
    inner.into_iter().map(|one| Row { around: Some((number, row.clone())), row: Some(one) }).collect()
}

fn at<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, key| value.get_mut(key))
}

fn remove(value: &mut Value, path: &[String]) -> Option<Value> {
    let (last, way) = path.split_last()?;
    at(value, way)?.as_object_mut()?.shift_remove(last)
}

fn cut(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > CELL => {
            let end = text.floor_char_boundary(CELL);
            *text = format!("{}… ({} more bytes)", &text[..end], text.len() - end);
        }
        Value::Object(map) => map.values_mut().for_each(cut),
        Value::Array(all) => all.iter_mut().for_each(cut),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
