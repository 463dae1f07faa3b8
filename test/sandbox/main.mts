import { startSandbox } from './sandbox.mts';
import { TRIGGERS } from './state/answers.mts';

const port = Number(process.env.LEGAL_AI_SANDBOX_PORT ?? 8787);
const timeScale = Number(process.env.LEGAL_AI_SANDBOX_TIME_SCALE ?? 1);

const sandbox = await startSandbox({
	port,
	timeScale,
	log: (line) => {
		console.log(line);
	},
});

console.log(`Legal AI sandbox service

  Base URL        ${sandbox.baseUrl}
  API key         ${sandbox.apiKey}
  Webhook secret  ${sandbox.webhookSecret}

  curl -H 'Authorization: Bearer ${sandbox.apiKey}' ${sandbox.baseUrl}/me

An answer takes two to five minutes${timeScale === 1 ? '' : `, and time runs ${timeScale} times faster`}. Words in a question that change the outcome:
${Object.entries(TRIGGERS)
	.map(([trigger, effect]) => `  ${trigger.padEnd(12)}${effect}`)
	.join('\n')}

Press Ctrl-C to stop. Requests:`);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void sandbox.close());
