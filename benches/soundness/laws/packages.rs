//! The packages that the laws are tried on, pinned: ten for each language, none of which anything was tuned for.

use crate::packages::{Package, javascript, python, solidity, typescript};

pub const PACKAGES: &[Package] = &[
    python("werkzeug", "3.1.9", &["src/werkzeug"]),
    python("httpx", "0.28.1", &["httpx"]),
    python("marshmallow", "4.4.0", &["src/marshmallow"]),
    python("structlog", "26.1.0", &["src/structlog"]),
    // With a stub beside each module.
    python("more-itertools", "11.2.1", &["more_itertools"]),
    python("cattrs", "26.2.1", &["src/cattrs"]),
    // Dataclasses.
    python("mashumaro", "3.23", &["mashumaro"]),
    python("tornado", "6.6.1", &["tornado"]),
    python("pyparsing", "3.3.3", &["pyparsing"]),
    // A workspace: three packages below one namespace, each in a directory of its own.
    python(
        "opentelemetry",
        "",
        &["opentelemetry-api/src", "opentelemetry-sdk/src", "opentelemetry-semantic-conventions/src"],
    )
    .with_parts(&[
        ("opentelemetry-api", "1.45.2", "opentelemetry-api"),
        ("opentelemetry-sdk", "1.45.2", "opentelemetry-sdk"),
        ("opentelemetry-semantic-conventions", "0.66b2", "opentelemetry-semantic-conventions"),
    ])
    .with_files(&[("pyrightconfig.json", OPENTELEMETRY)]),
    typescript("mobx", "7.1.3", &["src"], &[("tsconfig.json", SOURCES)]),
    typescript("immer", "11.2.10", &["src"], &[("tsconfig.json", SOURCES)]),
    typescript("ethers", "6.17.0", &["src.ts"], &[("tsconfig.json", ETHERS)]),
    // Workspaces, whose members import each other by name.
    typescript("prosemirror", "", &["packages"], &[("tsconfig.json", PROSEMIRROR), ("package.json", WORKSPACE)])
        .with_parts(&[
            ("prosemirror-model", "1.25.13", "packages/prosemirror-model"),
            ("prosemirror-transform", "1.12.6", "packages/prosemirror-transform"),
            ("prosemirror-state", "1.4.4", "packages/prosemirror-state"),
            ("prosemirror-view", "1.42.9", "packages/prosemirror-view"),
            ("prosemirror-commands", "1.7.2", "packages/prosemirror-commands"),
            ("prosemirror-keymap", "1.2.3", "packages/prosemirror-keymap"),
            ("prosemirror-history", "1.5.1", "packages/prosemirror-history"),
        ]),
    typescript("tanstack-router", "", &["packages"], &[("tsconfig.json", ROUTER), ("package.json", WORKSPACE)])
        .with_parts(&[
            ("@tanstack/router-core", "1.171.39", "packages/router-core"),
            ("@tanstack/history", "1.162.5", "packages/history"),
            ("@tanstack/store", "0.11.2", "packages/store"),
        ]),
    // JavaScript that publishes declaration files.
    javascript("fastify", "5.12.8", &["lib"], &["build", "docs", "examples"]),
    javascript("postcss", "8.5.33", &["lib"], &[]),
    javascript("preact", "11.2.0", &["src", "hooks/src", "compat/src"], &["dist", "hooks/dist", "compat/dist"]),
    javascript("nanostores", "1.5.5", &["."], &[]),
    javascript("commander", "15.1.0", &["lib"], &[]),
    solidity("solmate", "6.8.0", "0.8.36", &[]),
    solidity("erc721a", "4.3.0", "0.8.36", &[]),
    solidity("@prb/math", "4.2.0", "0.8.36", &[]),
    solidity("@uniswap/v2-core", "1.0.1", "0.5.16", &["build"]),
    solidity("@uniswap/v3-core", "1.0.1", "0.7.6", &["artifacts"]),
    solidity("@uniswap/v4-core", "1.0.2", "0.8.26", &["out", "test", "docs", "snapshots"]).in_sources(&["src"]),
    solidity("@safe-global/safe-contracts", "1.4.1", "0.8.36", &["build", "dist", "src"]),
    solidity("@aave/core-v3", "1.19.3", "0.8.10", &["artifacts", "dist", "types"]),
    solidity("@axelar-network/axelar-gmp-sdk-solidity", "6.2.0", "0.8.36", &["artifacts", "types", "dist"]),
    // With a dependency where npm puts it.
    solidity("@account-abstraction/contracts", "0.8.0", "0.8.36", &["artifacts", "build"])
        .in_sources(&["core", "interfaces", "accounts", "utils", "legacy"])
        .with_parts(&[("@openzeppelin/contracts", "5.4.0", "node_modules/@openzeppelin/contracts")]),
];

const OPENTELEMETRY: &str = r#"{
  "extraPaths": ["opentelemetry-api/src", "opentelemetry-sdk/src", "opentelemetry-semantic-conventions/src"]
}
"#;
const WORKSPACE: &str = r#"{ "name": "workspace", "private": true, "workspaces": ["packages/*"] }
"#;
const SOURCES: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "lib": ["es2022", "dom"], "types": []
  },
  "include": ["src"]
}
"#;
const ETHERS: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "nodenext", "moduleResolution": "nodenext", "strict": true, "noEmit": true,
    "lib": ["es2022", "dom"], "types": []
  },
  "include": ["src.ts"]
}
"#;
const PROSEMIRROR: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "lib": ["es2022", "dom"], "types": [],
    "paths": { "prosemirror-*": ["./packages/prosemirror-*/src/index.ts"] }
  },
  "include": ["packages/*/src"]
}
"#;
const ROUTER: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "lib": ["es2022", "dom", "dom.iterable"], "types": [],
    "paths": {
      "@tanstack/history": ["./packages/history/src/index.ts"], "@tanstack/store": ["./packages/store/src/index.ts"],
      "@tanstack/router-core": ["./packages/router-core/src/index.ts"]
    }
  },
  "include": ["packages/*/src"]
}
"#;
