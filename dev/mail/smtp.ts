/** The SMTP side of the development in-box: takes every mail for everyone, without TLS or login, on loopback. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailBox } from './mail-box.ts';

const LARGEST_MAIL_BYTES = 25_000_000;
const CLIENTS = 50;

export interface SmtpInBox {
  readonly port: number;
  close(): Promise<void>;
}

export async function listenSmtp(mailBox: MailBox, port: number, host = '127.0.0.1'): Promise<SmtpInBox> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: LARGEST_MAIL_BYTES,
    maxClients: CLIENTS,
    closeTimeout: 1_000,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        // The stream goes on to its end when the mail is too large, but nothing more of it is kept.
        if (stream.sizeExceeded) chunks.length = 0;
        else chunks.push(chunk);
      });
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('The mail is too large'), { responseCode: 552 }));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        mailBox.add(Buffer.concat(chunks), recipients).then(
          ({ id }) => done(null, `kept as ${id}`),
          (error: Error) => done(error),
        );
      });
    },
  });
  // A client that breaks off is its own business; without a listener it would end the process.
  server.on('error', (error) => console.error(JSON.stringify({ msg: 'smtp', error: error.message })));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
