/** From where a host can be reached: this machine alone, its own link (cloud metadata), its own network, or anywhere. */
const REACHES = ['loopback', 'linkLocal', 'private', 'public'] as const;
export type Reach = (typeof REACHES)[number];

const LOOPBACK_NAME = /^(.+\.)?localhost$/;
const PRIVATE_NAME = /^[^.[]+$|\.(local|internal|lan|home\.arpa)$/;

const IPV4 = /^\d+(\.\d+){3}$/;
/** 0.0.0.0 is this machine, too. */
const LOOPBACK_IPV4 = /^(127|0)\./;
const LINK_LOCAL_IPV4 = /^169\.254\./;
/** Private, shared by carriers, for benchmarks, for multicast, or reserved. */
const PRIVATE_IPV4 =
	/^(10|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|172\.(1[6-9]|2\d|3[01])|192\.168|192\.0\.0|198\.1[89]|22[4-9]|2[3-5]\d)\./;

/** From where a host (as in `URL.hostname`) can be reached, as far as its name or address shows. */
export function reachOf(hostname: string): Reach {
	const host = hostname.replace(/\.$/, '');
	if (host.startsWith('[')) return reachOfIpv6(host.slice(1, -1));
	if (IPV4.test(host)) return reachOfIpv4(host);
	if (LOOPBACK_NAME.test(host)) return 'loopback';
	return PRIVATE_NAME.test(host) ? 'private' : 'public';
}

function reachOfIpv4(address: string): Reach {
	if (LOOPBACK_IPV4.test(address)) return 'loopback';
	if (LINK_LOCAL_IPV4.test(address)) return 'linkLocal';
	return PRIVATE_IPV4.test(address) ? 'private' : 'public';
}

function reachOfIpv6(address: string): Reach {
	const groups = groupsOfIpv6(address);
	const [first = 0] = groups;
	// Mapped to IPv4, compatible with it (::1 and :: as well), or translated to it.
	const isIpv4 = ['0:0:0:0:0:65535', '0:0:0:0:0:0', '100:65435:0:0:0:0'].includes(
		groups.slice(0, 6).join(':'),
	);
	if (isIpv4)
		return reachOfIpv4(
			groups
				.slice(6)
				.flatMap((group) => [group >> 8, group & 0xff])
				.join('.'),
		);
	if (first >= 0xfe80 && first <= 0xfebf) return 'linkLocal';
	return first >= 0xfc00 ? 'private' : 'public';
}

function groupsOfIpv6(address: string): number[] {
	const [before = [], after = []] = address.split('::').map((part) =>
		part
			.split(':')
			.filter((group) => group !== '')
			.map((group) => parseInt(group, 16)),
	);
	return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** Whether a service can't reach `callbackUrl`, e.g. because it is an address in a private network and the service is not. */
export function isOutOfReach(callbackUrl: string, serviceUrl: string): boolean {
	const reach = (url: string): number => REACHES.indexOf(reachOf(new URL(url).hostname));
	return reach(callbackUrl) < reach(serviceUrl);
}
