import type { IExecuteFunctions, ILoadOptionsFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { SendHttp } from '../api/http';

/**
 * Sends requests with the credential's key. While a node runs, n8n's helper puts the execution's signal in place of the
 * request's own. So it is given one that stands for both: a request ends when the execution is stopped, and when its own
 * signal says so.
 */
export function authenticatedRequest(context: IExecuteFunctions | ILoadOptionsFunctions | IWebhookFunctions): SendHttp {
	const stopped = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return async (options) => {
		const either = AbortSignal.any([stopped, options.abortSignal].filter((signal) => signal instanceof AbortSignal));
		const self = new Proxy(context, {
			get: (target, name): unknown => (name === 'getExecutionCancelSignal' ? () => either : Reflect.get(target, name)),
		});
		return (await context.helpers.httpRequestWithAuthentication.call(self, 'legalAiApi', { ...options, abortSignal: either })) as unknown;
	};
}
