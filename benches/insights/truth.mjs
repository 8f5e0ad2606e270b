// What the compiler's own syntax tree says about every function: node truth.mjs SOLC_MODULE DIRECTORY
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";

const [solcModule, root] = process.argv.slice(2);
const solc = createRequire(import.meta.url)(solcModule);

function* files(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.name.endsWith(".sol")) yield relative(root, path);
  }
}

const sources = {};
for (const file of files(root)) sources[file] = { content: readFileSync(join(root, file), "utf8") };
const settings = { evmVersion: "osaka", outputSelection: { "*": { "": ["ast"], "*": ["abi", "evm.methodIdentifiers"] } } };
const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings })));
const errors = (output.errors ?? []).filter((error) => error.severity === "error");
if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));

/** Every declaration by its number, with the file and the contract around. */
const declared = new Map();
function index(node, file, contract) {
  if (Array.isArray(node)) return node.forEach((one) => index(one, file, contract));
  if (node === null || typeof node !== "object") return;
  if (typeof node.id === "number") declared.set(node.id, { node, file, contract });
  const inner = node.nodeType === "ContractDefinition" ? node : contract;
  Object.values(node).forEach((one) => index(one, file, inner));
}
for (const [file, { ast }] of Object.entries(output.sources)) index(ast, file, null);

const isState = (id) => declared.get(id)?.node.stateVariable === true || declared.get(id)?.node.nodeType === "VariableDeclaration" && declared.get(id).node.constant === true;
const named = (id) => {
  const { node, contract } = declared.get(id);
  return contract ? `${contract.name}.${node.name}` : node.name;
};
const callable = (id) => {
  const { node, contract } = declared.get(id);
  const name = node.kind && node.kind !== "function" && node.kind !== "freeFunction" ? node.kind : node.name;
  const count = node.parameters?.parameters.length ?? 0;
  return `${contract && contract !== node ? `${contract.name}.` : ""}${name}/${count}`;
};

/** One function: what it touches and calls by itself. */
class Look {
  constructor(definition) {
    Object.assign(this, { reads: new Set(), writes: new Set(), internal: new Set(), external: new Set() });
    this.given = new Map();
    this.pointers(definition);
    for (const modifier of definition.modifiers ?? []) this.modifier(modifier);
    if (definition.body) this.visit(definition.body);
  }

  /** Notes what every local storage pointer is given. */
  pointers(node) {
    if (Array.isArray(node)) return node.forEach((one) => this.pointers(one));
    if (node === null || typeof node !== "object") return;
    const give = (id, value) => value && this.given.set(id, [...(this.given.get(id) ?? []), value]);
    if (node.nodeType === "VariableDeclarationStatement" && node.initialValue) {
      const parts = node.declarations.length > 1 ? (node.initialValue.components ?? []) : [node.initialValue];
      node.declarations.forEach((one, at) => one?.storageLocation === "storage" && give(one.id, parts[at]));
    }
    if (node.nodeType === "Assignment") {
      const parts = (side) => (side.nodeType === "TupleExpression" ? side.components : [side]);
      const right = parts(node.rightHandSide);
      parts(node.leftHandSide).forEach((one, at) => this.isPointer(one) && give(one.referencedDeclaration, right[at]));
    }
    Object.values(node).forEach((one) => this.pointers(one));
  }

  isPointer(node) {
    const local = node?.nodeType === "Identifier" && declared.get(node.referencedDeclaration)?.node;
    return Boolean(local) && !local.stateVariable && local.storageLocation === "storage";
  }

  modifier(node) {
    const id = node.modifierName.referencedDeclaration;
    const target = declared.get(id)?.node;
    if (target?.nodeType === "ModifierDefinition") this.internal.add(callable(id));
    const constructor = target?.nodeType === "ContractDefinition" && target.nodes.find((one) => one.kind === "constructor");
    if (constructor) this.internal.add(callable(constructor.id));
    this.visit(node.arguments ?? []);
  }

  /** The state variables that an expression leads into. */
  roots(node, seen = new Set()) {
    switch (node?.nodeType) {
      case "Identifier": {
        const id = node.referencedDeclaration;
        if (isState(id)) return [id];
        if (!this.isPointer(node) || seen.has(id)) return [];
        return (this.given.get(id) ?? []).flatMap((value) => this.roots(value, new Set([...seen, id])));
      }
      case "MemberAccess":
        if (isState(node.referencedDeclaration) && node.expression.typeDescriptions.typeIdentifier.startsWith("t_type")) return [node.referencedDeclaration];
        if (isState(node.referencedDeclaration) && node.expression.typeDescriptions.typeIdentifier.startsWith("t_module")) return [node.referencedDeclaration];
        return / storage /.test(`${node.expression.typeDescriptions.typeString} `) ? this.roots(node.expression, seen) : [];
      case "IndexAccess":
      case "IndexRangeAccess":
        return this.roots(node.baseExpression, seen);
      case "TupleExpression":
        return node.components.length === 1 ? this.roots(node.components[0], seen) : [];
      case "Conditional":
        return [...this.roots(node.trueExpression, seen), ...this.roots(node.falseExpression, seen)];
      case "FunctionCall":
        return node.expression.memberName === "push" ? this.roots(node.expression.expression, seen) : [];
      default:
        return [];
    }
  }

  touch(node, { read, write }) {
    for (const id of this.roots(node)) {
      if (read) this.reads.add(named(id));
      if (write) this.writes.add(named(id));
    }
  }

  /** What stands on the left of an assignment. */
  target(node, how) {
    if (node === null || this.isPointer(node)) return;
    if (node.nodeType === "TupleExpression") return node.components.forEach((one) => this.target(one, how));
    this.touch(node, how);
    this.keys(node);
  }

  /** Visits what is evaluated on the way to a place. */
  keys(node) {
    switch (node.nodeType) {
      case "MemberAccess": return this.keys(node.expression);
      case "IndexAccess": this.visit(node.indexExpression); return this.keys(node.baseExpression);
      case "IndexRangeAccess": this.visit([node.startExpression, node.endExpression]); return this.keys(node.baseExpression);
      case "TupleExpression": return node.components.filter(Boolean).forEach((one) => this.keys(one));
      case "Conditional": this.visit(node.condition); this.keys(node.trueExpression); return this.keys(node.falseExpression);
      case "Identifier": return undefined;
      default: return this.visit(node);
    }
  }

  visit(node) {
    if (Array.isArray(node)) return node.forEach((one) => this.visit(one));
    if (node === null || typeof node !== "object") return;
    switch (node.nodeType) {
      case "Assignment":
        this.visit(node.rightHandSide);
        return this.target(node.leftHandSide, { read: node.operator !== "=", write: true });
      case "UnaryOperation":
        if (["++", "--"].includes(node.operator)) return this.target(node.subExpression, { read: true, write: true });
        if (node.operator === "delete") return this.target(node.subExpression, { write: true });
        return this.visit(node.subExpression);
      case "FunctionCall":
        return this.call(node);
      case "Identifier":
      case "MemberAccess":
      case "IndexAccess":
      case "IndexRangeAccess":
        if (this.roots(node).length > 0) {
          this.touch(node, { read: true });
          return this.keys(node);
        }
        return this.visit([node.expression, node.baseExpression, node.indexExpression, node.startExpression, node.endExpression]);
      case "InlineAssembly":
        return this.assembly(node);
      default:
        return Object.entries(node).filter(([key]) => key !== "typeDescriptions").forEach(([, one]) => this.visit(one));
    }
  }

  call(node) {
    let callee = node.expression;
    if (callee.nodeType === "FunctionCallOptions") {
      this.visit(callee.options);
      callee = callee.expression;
    }
    const type = callee.typeDescriptions.typeIdentifier ?? "";
    if (/^t_function_(arraypush|arraypop|bytepush)/.test(type)) {
      this.touch(callee.expression, { write: true });
      this.keys(callee.expression);
      return this.visit(node.arguments);
    }
    this.visit(callee.nodeType === "MemberAccess" ? callee.expression : callee.nodeType === "NewExpression" ? [] : callee.nodeType === "Identifier" && !isState(callee.referencedDeclaration) ? [] : callee);
    this.visit(node.arguments);
    if (node.kind !== "functionCall") return undefined;
    const id = callee.referencedDeclaration;
    const low = type.match(/^t_function_(barecall|baredelegatecall|barestaticcall|barecallcode|transfer|send|selfdestruct)/)?.[1];
    if (low) return this.external.add(low.replace("bare", ""));
    if (type.startsWith("t_function_creation")) return this.external.add(`new ${declared.get(callee.typeName.referencedDeclaration).node.name}`);
    const target = declared.get(id)?.node;
    if (/^t_function_(external|delegatecall)/.test(type)) {
      return this.external.add(target?.nodeType === "FunctionDefinition" ? callable(id) : target?.stateVariable ? named(id) : "pointer");
    }
    if (type.startsWith("t_function_internal") && target?.nodeType === "FunctionDefinition") this.internal.add(callable(id));
    return undefined;
  }

  assembly(node) {
    const outside = new Map(node.externalReferences.map((one) => [one.src, one]));
    const touch = (yul, how) => {
      if (Array.isArray(yul)) return yul.forEach((one) => touch(one, how));
      if (yul === null || typeof yul !== "object") return;
      if (yul.nodeType === "YulIdentifier" && outside.has(yul.src)) {
        const { declaration, suffix } = outside.get(yul.src);
        const write = how.write && suffix === "slot";
        const roots = isState(declaration) ? [declaration] : (this.given.get(declaration) ?? []).flatMap((value) => this.roots(value));
        for (const id of roots) (write ? this.writes : this.reads).add(named(id));
      }
      if (yul.nodeType === "YulFunctionCall") {
        const name = yul.functionName.name;
        if (/^(call|delegatecall|staticcall|callcode|create2?|selfdestruct)$/.test(name)) this.external.add(name);
        const [first, ...rest] = yul.arguments;
        touch(first ?? null, { write: /^[st]store$/.test(name) });
        return touch(rest, {});
      }
      if (yul.nodeType === "YulAssignment") return touch(yul.value, {});
      return Object.values(yul).forEach((one) => touch(one, how));
    };
    touch(node.AST, {});
  }
}

const functions = [];
for (const { node, file, contract } of declared.values()) {
  if (node.nodeType !== "FunctionDefinition" && node.nodeType !== "ModifierDefinition") continue;
  const look = new Look(node);
  const [start] = (node.nameLocation && !node.nameLocation.startsWith("-1") ? node.nameLocation : node.src).split(":");
  const identifiers = contract && output.contracts[file]?.[contract.name]?.evm.methodIdentifiers;
  const signature = node.functionSelector && Object.entries(identifiers ?? {}).find(([, selector]) => selector === node.functionSelector)?.[0];
  functions.push({
    file, start: Number(start), contract: contract?.name ?? null, contractKind: contract?.contractKind ?? null,
    name: node.kind && node.kind !== "function" && node.kind !== "freeFunction" ? node.kind : node.name,
    visibility: node.visibility, mutability: node.stateMutability ?? "nonpayable", signature: signature ?? null,
    reads: [...look.reads], writes: [...look.writes], internal: [...look.internal], external: [...look.external],
  });
}

const canonical = (input) => input.type.startsWith("tuple") ? `(${input.components.map(canonical).join(",")})${input.type.slice(5)}` : input.type;
const entrypoints = [];
for (const [file, contracts] of Object.entries(output.contracts)) {
  for (const [contract, { abi }] of Object.entries(contracts)) {
    const kind = [...declared.values()].find(({ node, file: of }) => of === file && node.nodeType === "ContractDefinition" && node.name === contract)?.node.contractKind;
    if (kind === "library") continue;
    for (const entry of abi.filter((one) => ["function", "receive", "fallback"].includes(one.type))) {
      const signature = entry.type === "function" ? `${entry.name}(${entry.inputs.map(canonical).join(",")})` : `${entry.type}()`;
      entrypoints.push({ file, contract, signature, mutability: entry.stateMutability });
    }
  }
}
process.stdout.write(JSON.stringify({ functions, entrypoints }));
