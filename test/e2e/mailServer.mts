import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../../harness/n8nProcess.mts';
import { until } from '../../harness/polling.mts';

const program = '/usr/sbin/dovecot';
const password = 'secret';

/** What n8n's IMAP credential holds. */
export interface ImapCredential {
	readonly user: string;
	readonly password: string;
	readonly host: string;
	readonly port: number;
	readonly secure: boolean;
}

/** A real IMAP server (Dovecot) on this machine alone, with a mailbox for whoever logs in. */
export class MailServer {
	readonly #server: ChildProcess;
	readonly #folder: string;
	readonly #port: number;

	private constructor(server: ChildProcess, folder: string, port: number) {
		this.#server = server;
		this.#folder = folder;
		this.#port = port;
	}

	/** Starts it on a port and in a folder of its own. */
	static async start(): Promise<MailServer> {
		if (!existsSync(program)) throw new Error('This test needs an IMAP server: apt-get install dovecot-imapd');
		const folder = await mkdtemp(join(tmpdir(), 'mail-'));
		await mkdir(join(folder, 'mail'));
		await chmod(folder, 0o755);
		await chmod(join(folder, 'mail'), 0o777);
		const port = await freePort();
		const settings = join(folder, 'dovecot.conf');
		await writeFile(settings, settingsFor(folder, port, await groupName()));
		const child = spawn(program, ['-F', '-c', settings], { stdio: 'ignore' });
		const killWithParent = (): void => void child.kill('SIGTERM');
		process.once('exit', killWithParent);
		child.once('exit', () => process.off('exit', killWithParent));
		const server = new MailServer(child, folder, port);
		try {
			await until('the mail server to greet', async () => await server.#greets(), { timeout: 20_000 });
		} catch (failure) {
			const log = await readFile(join(folder, 'log'), 'utf8').catch(() => 'none');
			await server.close();
			throw new Error(`The mail server did not start. Its log: ${log}`, { cause: failure });
		}
		return server;
	}

	credentialOf(user: string): ImapCredential {
		return { user, password, host: '127.0.0.1', port: this.#port, secure: false };
	}

	/** Puts an e-mail into a user's inbox, as a mail transfer agent does. */
	async deliver(user: string, message: string): Promise<void> {
		const mailbox = join(this.#folder, 'mail', user);
		for (const part of ['', 'tmp', 'new', 'cur']) {
			await mkdir(join(mailbox, part), { recursive: true });
			await chmod(join(mailbox, part), 0o777);
		}
		const name = `${Date.now()}.${randomUUID()}.localhost`;
		await writeFile(join(mailbox, 'tmp', name), message.replace(/\r?\n/g, '\r\n'));
		await rename(join(mailbox, 'tmp', name), join(mailbox, 'new', name));
	}

	async close(): Promise<void> {
		if (this.#server.exitCode === null && this.#server.signalCode === null) {
			const ended = once(this.#server, 'exit');
			this.#server.kill('SIGTERM');
			await ended;
		}
		await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
	}

	async #greets(): Promise<true | undefined> {
		if (this.#server.exitCode !== null) throw new Error('The process ended');
		const socket = connect(this.#port, '127.0.0.1');
		try {
			await once(socket, 'data', { signal: AbortSignal.timeout(1000) });
			return true;
		} catch {
			return undefined;
		} finally {
			socket.destroy();
		}
	}
}

/** The name of the group that this process belongs to. */
async function groupName(): Promise<string> {
	return (await promisify(execFile)('id', ['-gn'])).stdout.trim();
}

function settingsFor(folder: string, port: number, group: string): string {
	const { username, uid } = userInfo();
	// It does nothing as root, and its package brings users for that.
	const [internalUser, loginUser] = uid === 0 ? ['dovecot', 'dovenull'] : [username, username];
	const internalGroup = uid === 0 ? internalUser : group;
	return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
mailbox_idle_check_interval = 1s
disable_plaintext_auth = no
default_internal_user = ${internalUser}
default_internal_group = ${internalGroup}
default_login_user = ${loginUser}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${folder}/mail/%u
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${internalUser} gid=${internalGroup} home=${folder}/mail/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`;
}
