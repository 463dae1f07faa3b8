import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import { freePort } from '../../../harness/n8nProcess.mts';
import { Program } from '../../../harness/program.mts';

const dovecot = '/usr/sbin/dovecot';
const password = 'secret';

/** A real IMAP server with one mailbox. */
export interface MailServer {
	/** What n8n's IMAP credential holds. */
	readonly credential: Readonly<Record<string, unknown>>;
	/** Puts an e-mail into the inbox, as a mail transfer agent does. */
	deliver(message: string): Promise<void>;
}

/** Starts Dovecot for the tests of a file, on this machine alone, on a port and in a folder of its own. */
export async function mailServerOfThisFile(): Promise<MailServer> {
	if (!existsSync(dovecot)) throw new Error('This test needs an IMAP server: apt-get install dovecot-imapd');
	const folder = await mkdtemp(join(tmpdir(), 'mail-'));
	await chmod(folder, 0o755);
	const mailbox = join(folder, 'mail');
	for (const part of ['', 'tmp', 'new', 'cur']) {
		await mkdir(join(mailbox, part));
		await chmod(join(mailbox, part), 0o777);
	}
	const port = await freePort();
	const settings = join(folder, 'dovecot.conf');
	await writeFile(settings, settingsFor(folder, port));
	const server = new Program('The mail server', [dovecot, '-F', '-c', settings], {});
	// It says so once it listens.
	await server.ready(() => Promise.resolve(server.log.includes('starting up')));
	afterAll(async () => {
		await server.stop('SIGTERM');
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	return {
		credential: { user: 'legal', password, host: '127.0.0.1', port, secure: false },
		deliver: async (message) => {
			const name = `${Date.now()}.${randomUUID()}.localhost`;
			await writeFile(join(mailbox, 'tmp', name), message);
			await rename(join(mailbox, 'tmp', name), join(mailbox, 'new', name));
		},
	};
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
mail_location = maildir:${folder}/mail
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${internalUser} gid=${internalGroup} home=${folder}/mail
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
