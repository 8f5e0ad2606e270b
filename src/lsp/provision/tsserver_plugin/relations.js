// Which declarations of one name a program's flows join.
"use strict";

const { ownersOfKeys } = require("./keys.js");

class Relations {
  constructor(ts, flows, members) {
    this.ts = ts;
    this.flows = flows;
    this.checker = flows.checker;
    this.members = members;
  }

  /** Joins what these files, or pairs of types that are given beside them, take for one. */
  flowing(files, pairs = []) {
    const { name } = this.members;
    for (const [one, other, at] of this.flows.pairs(files, pairs)) {
      const right = this.flows.own(other, name);
      const left = right && this.flows.own(one, name);
      if (!left || left === right) continue;
      const [ones, others] = [this.declarationsOf(left), this.declarationsOf(right)];
      if (ones.length > 0 && others.length > 0) this.members.join([...ones, ...others], at);
    }
  }

  /** Reads what the uses of the name in these files mean. */
  named(files) {
    for (const file of files) {
      for (const place of this.members.namesIn(file)) this.use(place);
    }
  }

  /** A use of a union's or an intersection's member means the declarations of all of its parts. */
  use(name) {
    const symbol = this.meant(name);
    if (!symbol) return;
    const { ts, members } = this;
    const indices = this.declarationsOf(symbol);
    members.join(indices, name);
    members.use(indices, name);
    // No search for references finds the property of a `Record<keyof Job, number>`, nor that of `{ … } satisfies Job` from
    // where `Job` declares it.
    const isOfNone = !symbol.declarations?.length && this.ownedByKeys(symbol).length > 0;
    const isHidden = isOfNone || symbol.declarations?.some((one) => isSatisfying(ts, one));
    if (isHidden) members.spell(indices, name, ts.isBindingElement(name.parent) && !name.parent.propertyName);
  }

  /** The member that a use asks for. */
  meant(name) {
    const { ts, checker, members } = this;
    const { parent } = name;
    if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === name) {
      if (!ts.isObjectBindingPattern(parent.parent)) return undefined;
      return checker.getPropertyOfType(checker.getTypeAtLocation(parent.parent), members.name);
    }
    const isNamed = ts.isPropertyAccessExpression(parent) && parent.name === name;
    const isIndexed = ts.isElementAccessExpression(parent) && parent.argumentExpression === name;
    if (isNamed || isIndexed) return checker.getSymbolAtLocation(name);
    if (parent.parent && ts.isIndexedAccessTypeNode(parent.parent) && parent.parent.indexType === parent) {
      return checker.getPropertyOfType(checker.getTypeFromTypeNode(parent.parent.objectType), members.name);
    }
    return undefined;
  }

  declarationsOf(symbol) {
    const roots = this.checker.getRootSymbols(symbol);
    const all = (roots.length > 0 ? roots : [symbol]).flatMap((root) => [root, ...this.ownedByKeys(root)]);
    const nodes = all.flatMap((one) => one.declarations ?? []);
    const indices = nodes.map((node) => this.members.index(this.flows.program, node));
    return [...new Set(indices.filter((index) => index !== undefined))];
  }

  /** The properties that gave a mapped type (`Record<keyof Job, number>`) one that nothing else declares. */
  ownedByKeys(symbol) {
    if (symbol.declarations?.length) return [];
    const mapped = (symbol.links ?? symbol).mappedType;
    const keys = mapped && (mapped.constraintType ?? this.checker.getIndexTypeOfType?.(mapped, 0));
    const owners = keys ? ownersOfKeys(this.ts, keys) : [];
    return owners.map((owner) => this.checker.getPropertyOfType(owner, this.members.name)).filter(Boolean);
  }
}

/** Tells whether a property belongs to a literal that satisfies a type, or to one in such. */
function isSatisfying(ts, property) {
  if (!ts.isObjectLiteralElement(property)) return false;
  let outer = property.parent;
  while (
    ts.isObjectLiteralExpression(outer) ||
    ts.isArrayLiteralExpression(outer) ||
    ts.isPropertyAssignment(outer) ||
    ts.isSpreadElement(outer) ||
    ts.isSpreadAssignment(outer) ||
    ts.isConditionalExpression(outer) ||
    ts.isParenthesizedExpression(outer) ||
    ts.isAsExpression(outer)
  ) {
    outer = outer.parent;
  }
  return ts.isSatisfiesExpression?.(outer) ?? false;
}

module.exports = { Relations };
