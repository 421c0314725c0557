/**
 * What an attempt to send means for the mail, by the server's code and the stage at which it came. Answers of servers
 * repeat the address, so codes alone leave this file.
 */
import type { NodemailerError } from 'nodemailer';
import type { MailOutcome } from './mailer.ts';

/** The server does not know a command, or wants another login: the fault is of the configuration, and can be mended. */
const OF_THE_CONFIGURATION = new Set([500, 501, 502, 503, 504, 521, 530, 534, 535, 538]);
/** Only at these the server speaks of this mail: before them it refuses the sender. */
const STAGES_OF_THE_MAIL = new Set(['RCPT TO', 'DATA']);

export function outcomeOfError(error: unknown): MailOutcome {
  const { code, command = '', responseCode, response } = (error ?? {}) as Partial<NodemailerError>;
  if (!responseCode) {
    return { kind: 'UNKNOWN', code: typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'EUNKNOWN' };
  }
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
  const refused = responseCode >= 500 && STAGES_OF_THE_MAIL.has(command) && !OF_THE_CONFIGURATION.has(responseCode);
  return {
    kind: refused ? 'REFUSED' : 'UNKNOWN',
    code: status ? `${responseCode} ${status}` : `${responseCode}`,
  };
}

/**
 * The server was closing the connection, as an idle one, when the mail came (RFC 5321, 4.2.1): no byte of the mail was sent, so
 * another connection may take it at once.
 */
export function isClosing(error: unknown): boolean {
  const { command = '', responseCode } = (error ?? {}) as Partial<NodemailerError>;
  return responseCode === 421 && command !== 'DATA';
}
