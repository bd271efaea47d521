// A conversation with the MCP server by the SDK of another implementation; prints everything that it heard as JSON.
// Usage: node mcp_client.cjs NODE-FOLDER stdio COMMAND ARGUMENT… | NODE-FOLDER http URL TOKEN
const { createRequire } = require('node:module');
const [folder, transport, ...rest] = process.argv.slice(2);
const load = createRequire(`${folder}/`);
const { Client } = load('@modelcontextprotocol/sdk/client/index.js');

function connection() {
  if (transport === 'http') {
    const { StreamableHTTPClientTransport } = load('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const requestInit = { headers: { Authorization: `Bearer ${rest[1]}` } };
    return new StreamableHTTPClientTransport(new URL(rest[0]), { requestInit });
  }
  const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js');
  return new StdioClientTransport({ command: rest[0], args: rest.slice(1), env: process.env, stderr: 'ignore' });
}

async function main() {
  const client = new Client({ name: 'second', version: '1' });
  await client.connect(connection());
  const heard = { tools: (await client.listTools()).tools, prompts: (await client.listPrompts()).prompts, calls: [] };
  const call = async (name, args) => {
    const reply = await client.callTool({ name, arguments: args });
    heard.calls.push([name, reply]);
    return reply.structuredContent;
  };
  heard.prompt = await client.getPrompt({ name: 'plan_with_plantwin' });
  heard.schema = await client.readResource({ uri: 'plantwin://schema' });
  const { session, messages } = await call('begin_session', { goal: 'Is anything in here unsafe?' });
  const inputs = messages[0].sets.map((set) => set.set_id);
  const steps = [{ id: 's1', capability: 'secret_scan', inputs }, { id: 's2', capability: 'report', inputs: ['s1'] }];
  await call('check_plan', { session, steps });
  await call('submit_plan', { session, steps });
  await call('see_budget', { session });
  await call('split_set', { session, set_id: inputs[0], by: 'semantic_class' });
  await call('read_outcomes', { session });
  await call('submit_plan', { session, steps: [{ id: '\u0000', capability: {}, inputs: 'all' }] });
  await call('end_session', { session });
  await call('end_session', { session: 'nobody' });
  await client.close();
  process.stdout.write(JSON.stringify(heard));
}

main().catch((error) => {
  process.stderr.write(String(error.stack));
  process.exit(1);
});
