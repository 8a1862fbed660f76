// Makes calls for a program that writes one JSON object a line: {"operation": "GetHIT", "input": {"HITId": "..."}}.
// Answers each with a line of its own: {"output": ...}, or {"error": {"kind", "turkCode", "message"}}.
import { createInterface } from "node:readline";
import * as sdk from "@aws-sdk/client-mturk";

const client = new sdk.MTurkClient({ region: "us-east-1", endpoint: process.env.MTURK_ENDPOINT });

async function answer({ operation, input }) {
  const timestamps = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, name === "ExpireAt" ? new Date(value * 1000) : value]),
  );
  try {
    const { $metadata, ...output } = await client.send(new sdk[`${operation}Command`](timestamps));
    return { output };
  } catch (error) {
    return { error: { kind: error.name, turkCode: error.TurkErrorCode ?? "", message: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
