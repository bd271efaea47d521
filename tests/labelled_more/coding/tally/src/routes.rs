//! Shortest connections between stops, with a penalty per change.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

type Node = u32;

pub struct Net {
    edges: HashMap<Node, Vec<(Node, u32, u16)>>,
    pub change: u32,
}

impl Net {
    pub fn shortest(&self, a: Node, b: Node) -> Option<(u32, Vec<Node>)> {
        let mut best: HashMap<(Node, u16), u32> = HashMap::new();
        let mut prev: HashMap<(Node, u16), (Node, u16)> = HashMap::new();
        let mut heap = BinaryHeap::new();
        heap.push(Reverse((0u32, a, 0u16)));
        best.insert((a, 0), 0);

        while let Some(Reverse((d, n, line))) = heap.pop() {
            if n == b {
                let mut at = (n, line);
                let mut path = vec![n];
                while let Some(&p) = prev.get(&at) {
                    path.push(p.0);
                    at = p;
                }
                path.reverse();
                return Some((d, path));
            }
            if best.get(&(n, line)).is_some_and(|&x| x < d) {
                continue;
            }
            for &(m, w, l) in self.edges.get(&n).into_iter().flatten() {
                let nd = d + w + if line != 0 && l != line { self.change } else { 0 };
                if best.get(&(m, l)).map_or(true, |&x| nd < x) {
                    best.insert((m, l), nd);
                    prev.insert((m, l), (n, line));
                    heap.push(Reverse((nd, m, l)));
                }
            }
        }
        None
    }
}
