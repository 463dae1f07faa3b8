/** From where a host can be reached: this machine alone, its own link (cloud metadata), its own network, or anywhere. */
const REACHES = ['loopback', 'linkLocal', 'private', 'public'] as const;
export type Reach = (typeof REACHES)[number];

/** Names and addresses by their reach; all others are public. */
const FORMS: ReadonlyArray<[Reach, RegExp]> = [
	// 0.0.0.0 is this machine, too.
	['loopback', /^(.+\.)?localhost$|^(127|0)(\.\d+){3}$/],
	['linkLocal', /^169\.254(\.\d+){2}$|^\[fe[89ab].:/],
	['private', /^[^.[]+$|\.(local|internal|lan|home\.arpa)$|^\[f[c-f]..:/],
	// Private, shared by carriers, for benchmarks, for multicast, or reserved.
	[
		'private',
		/^(10|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|172\.(1[6-9]|2\d|3[01])|192\.168|192\.0\.0|198\.1[89]|22[4-9]|2[3-5]\d)\.[\d.]+$/,
	],
];

/** An IPv4 address as an IPv6 one: mapped to it, translated to it, or compatible with it (::1 and :: as well). */
const IPV4_IN_IPV6 = /^\[(?:::ffff:|64:ff9b::|::)(?:([\da-f]+):)?([\da-f]*)\]$/;

/** From where a host (as in `URL.hostname`) can be reached, as far as its name or address shows. */
export function reachOf(hostname: string): Reach {
	const host = hostname
		.replace(/\.$/, '')
		.replace(IPV4_IN_IPV6, (_host, ...groups: Array<string | undefined>) =>
			groups
				.slice(0, 2)
				.map((group) => parseInt(group || '0', 16))
				.map((group) => `${group >> 8}.${group & 0xff}`)
				.join('.'),
		);
	return FORMS.find(([, form]) => form.test(host))?.[0] ?? 'public';
}

/** Whether a service can't reach `callbackUrl`, e.g. because it is an address in a private network and the service is not. */
export function isOutOfReach(callbackUrl: string, serviceUrl: string): boolean {
	const reach = (url: string): number => REACHES.indexOf(reachOf(new URL(url).hostname));
	return reach(callbackUrl) < reach(serviceUrl);
}
