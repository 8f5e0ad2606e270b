//! Floor 6: the tools that both faces offer: arguments in, an answer out.
