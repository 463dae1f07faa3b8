import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../harness/n8nProcess.mts';
import { Program } from '../../harness/program.mts';

const dovecot = '/usr/sbin/dovecot';
const password = 'secret';

/** A real IMAP server (Dovecot) on this machine alone, with a mailbox for whoever logs in. */
export class MailServer {
	readonly #server: Program;
	readonly #folder: string;
	readonly #port: number;

	private constructor(server: Program, folder: string, port: number) {
		this.#server = server;
		this.#folder = folder;
		this.#port = port;
	}

	/** Starts it on a port and in a folder of its own. */
	static async start(): Promise<MailServer> {
		if (!existsSync(dovecot)) throw new Error('This test needs an IMAP server: apt-get install dovecot-imapd');
		const folder = await mkdtemp(join(tmpdir(), 'mail-'));
		await mkdir(join(folder, 'mail'));
		await chmod(folder, 0o755);
		await chmod(join(folder, 'mail'), 0o777);
		const port = await freePort();
		const settings = join(folder, 'dovecot.conf');
		await writeFile(settings, settingsFor(folder, port));
		const server = new Program('The mail server', [dovecot, '-F', '-c', settings], {});
		await server.ready(async () => await greets(port));
		return new MailServer(server, folder, port);
	}

	/** What n8n's IMAP credential holds. */
	credentialOf(user: string): Readonly<Record<string, unknown>> {
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
		await this.#server.stop('SIGTERM');
		await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** Whether a mail server greets whoever connects. */
async function greets(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'data', { signal: AbortSignal.timeout(1000) });
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

function settingsFor(folder: string, port: number): string {
	const { username, uid } = userInfo();
	// It does nothing as root, and its package brings users for that.
	const [internalUser, loginUser] = uid === 0 ? ['dovecot', 'dovenull'] : [username, username];
	const internalGroup = uid === 0 ? internalUser : execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim();
	return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/stderr
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
