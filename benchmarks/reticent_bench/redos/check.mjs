// Reads lines of {source, flags}, and writes recheck's answer to each in a line, in their order.
// It runs in the folder in which recheck is installed, as modules are looked for beside it.
import { check } from "recheck";
import { createInterface } from "node:readline";

const timeout = Number(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { source, flags } = JSON.parse(line);
  const found = await check(source, flags, { timeout });
  console.log(JSON.stringify({
    status: found.status,
    complexity: found.complexity?.type ?? "",
    degree: found.complexity?.degree ?? 0,
    pumps: (found.attack?.pumps ?? []).map(({ prefix, pump }) => [prefix, pump]),
    suffix: found.attack?.suffix ?? "",
    error: found.error?.kind ?? "",
  }));
}
