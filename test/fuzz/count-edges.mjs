// A transform of asc: counts how often each function, arm, loop and case of assembly/ was reached, and writes where each is
// to build/fuzz/PLACES.json, by the variable PLACES.
import { mkdirSync, writeFileSync } from "node:fs";
import { Node, NodeKind } from "assemblyscript";
import { Transform } from "assemblyscript/transform";

/** The statements that begin a path through the code, by the node that has them. */
const ARMS = {
  [NodeKind.FunctionDeclaration]: ["body"],
  [NodeKind.MethodDeclaration]: ["body"],
  [NodeKind.If]: ["ifTrue", "ifFalse"],
  [NodeKind.While]: ["body"],
  [NodeKind.Do]: ["body"],
  [NodeKind.For]: ["body"],
};

/** A byte for each place, from address 0: the target "fuzz" leaves it free (memoryBase). */
const COUNT = "@global function __edge(at: usize): void { store<u8>(at, load<u8>(at) + 1); }";

export default class CountEdges extends Transform {
  #places = [];

  afterParse(parser) {
    for (const source of parser.sources) {
      if (!source.normalizedPath.startsWith("assembly/")) continue;
      for (const statement of source.statements) this.#visit(statement);
    }
    parser.parseFile(COUNT, "~lib/edge.ts", false);
    mkdirSync("build/fuzz", { recursive: true });
    writeFileSync(`build/fuzz/${process.env.PLACES}.json`, JSON.stringify(this.#places));
  }

  #visit(node) {
    for (const name of ARMS[node.kind] ?? []) {
      if (node[name] != null) node[name] = this.#counted(node[name]);
    }
    if (node.kind === NodeKind.SwitchCase) node.statements.unshift(this.#edge(node.range));
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (child instanceof Node && child.kind !== NodeKind.Source) this.#visit(child);
      }
    }
  }

  #counted(statement) {
    const edge = this.#edge(statement.range);
    if (statement.kind === NodeKind.Block) {
      statement.statements.unshift(edge);
      return statement;
    }
    return Node.createBlockStatement([edge, statement], statement.range);
  }

  /** Returns the statement `__edge(number)`. */
  #edge(range) {
    const place =
      this.#places.push(`${range.source.normalizedPath}:${range.source.lineAt(range.start)}`) - 1;
    const number = Node.createIntegerLiteralExpression(globalThis.i64_new(place, 0), range);
    const name = Node.createIdentifierExpression("__edge", range);
    return Node.createExpressionStatement(Node.createCallExpression(name, null, [number], range));
  }
}
