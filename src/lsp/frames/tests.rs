//! What is found in a server's output, however it arrives.

use std::pin::Pin;
use std::task::{Context, Poll};

use proptest::prelude::*;
use tokio::io::{AsyncRead, ReadBuf};

use super::super::faults::Faults;
use super::{Frame, Frames, Header, MOST_KEPT, header};

/// Gives out bytes in pieces of one size.
struct Pieces<'a> {
    rest: &'a [u8],
    size: usize,
}

impl AsyncRead for Pieces<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let width = self.size.min(self.rest.len()).min(buffer.remaining());
        let (piece, rest) = self.rest.split_at(width);
        buffer.put_slice(piece);
        self.rest = rest;
        Poll::Ready(Ok(()))
    }
}

fn frames(output: &[u8], size: usize) -> (Vec<String>, String) {
    let faults = Faults::default();
    let mut frames = Frames::new(Pieces { rest: output, size }, faults.clone());
    let all = async {
        let mut bodies = Vec::new();
        while let Some(frame) = frames.next().await {
            match frame {
                Frame::Whole(body) => bodies.push(String::from_utf8_lossy(&body).into_owned()),
                Frame::TooLarge(ends) => bodies.push(format!("{} bytes", ends.length)),
            }
        }
        bodies
    };
    let bodies = futures::executor::block_on(all);
    (bodies, faults.describe())
}

fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn headers_in_every_shape() {
    for head in [
        "Content-Length: 2\r\n\r\n",
        "content-length:2\n\n",
        "CONTENT-LENGTH :2\r\n\r\n".replace(" :", ":").as_str(),
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        "Content-Length:  2 \r\nContent-Type: x\r\n\r\n",
    ] {
        assert_eq!(frames(format!("{head}{{}}").as_bytes(), 1), (vec!["{}".to_owned()], String::new()), "{head:?}");
    }
}

#[test]
fn junk_is_skipped_and_remembered() {
    let output = format!("starting…\n\n{}warning\n{}trailing", framed("{}"), framed("[]"));
    let (bodies, faults) = frames(output.as_bytes(), 7);
    assert_eq!(bodies, ["{}", "[]"]);
    assert_eq!(faults, "it sent 3 malformed messages, the last: no header: `trailing`");
    assert_eq!(header(b"Content-Length: -1\r\n\r\n"), Header::Junk { end: 20 });
    assert_eq!(header(b"Content-Length: 99999999999\r\n\r\n"), Header::Junk { end: 29 });
    assert_eq!(header(&vec![b'x'; 1 << 17]), Header::Junk { end: 1 << 17 });
}

#[test]
fn a_message_cut_short_is_told() {
    let (bodies, faults) = frames(b"Content-Length: 10\r\n\r\n{}", 5);
    assert!(bodies.is_empty());
    assert_eq!(faults, "it sent 1 malformed messages, the last: a message cut short: `{}`");
}

#[test]
fn a_message_that_is_too_large_is_skipped_up_to_the_next_one() {
    let large = format!("{{\"id\":1,\"result\":\"{}\"}}", "x".repeat(MOST_KEPT));
    let output = [framed("[1]"), framed(&large), framed("[2]")].concat();
    let (bodies, faults) = frames(output.as_bytes(), 100_000);
    assert_eq!(bodies, ["[1]", &format!("{} bytes", large.len()), "[2]"]);
    assert_eq!(faults, "");
    let (bodies, faults) = frames(&output.as_bytes()[..MOST_KEPT], 100_000);
    assert_eq!(bodies, ["[1]"]);
    assert!(faults.contains("a message cut short: `{\"id\":1"), "{faults}");
}

#[test]
fn a_header_without_an_end_is_junk() {
    let lines = "Content-Type: x\n".repeat(100_000);
    let (bodies, faults) = frames(format!("{lines}\n{}", framed("{}")).as_bytes(), 100_000);
    assert_eq!(bodies, ["{}"]);
    assert!(faults.contains("no header: `Content-Type: x"), "{faults}");
}

proptest! {
    #[test]
    fn frames_are_the_same_in_whatever_pieces_they_come(
        bodies in prop::collection::vec("\\PC{0,40}", 0..5),
        size in 1_usize..200,
    ) {
        let output: String = bodies.iter().map(|body| framed(body)).collect();
        prop_assert_eq!(frames(output.as_bytes(), size), (bodies, String::new()));
    }

    #[test]
    fn no_output_is_too_odd_to_be_read_to_its_end(output in prop::collection::vec(any::<u8>(), 0..300), size in 1_usize..64) {
        frames(&output, size);
    }
}
