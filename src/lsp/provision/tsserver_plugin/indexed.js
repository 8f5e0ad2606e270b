// Members that an object literal has by an index signature alone (`const checks: Record<string, Check> = { size() {} }`): no
// property of the type stands for them, so that a type that is asked by any key may be asked for them.
"use strict";

const { innermost } = require("./members.js");

/** The types that are expected of the object literals that have one of the found members, and name no such member. */
function indexedTypes(ts, program, found) {
  const checker = program.getTypeChecker();
  const types = new Set();
  for (const { file, line, offset } of found) {
    const source = program.getSourceFile(file);
    const name = source && innermost(ts, source, source.getPositionOfLineAndCharacter(line - 1, offset - 1));
    const literal = name && name.parent?.name === name && name.parent.parent;
    const expected = literal && ts.isObjectLiteralExpression(literal) && checker.getContextualType(literal);
    if (!expected) continue;
    const type = checker.getApparentType(expected);
    for (const one of type.isUnion() ? type.types : [type]) {
      const isNamed = checker.getPropertyOfType(one, name.text) !== undefined;
      if (!isNamed && checker.getIndexTypeOfType(one, ts.IndexKind.String)) types.add(one);
    }
  }
  return types;
}

module.exports = { indexedTypes };
