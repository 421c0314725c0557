/** SMTP servers for tests of sending: a real one that takes or refuses, and one that stops answering, or leaves, at a stage. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly mail: Email;
  readonly secure: boolean;
  readonly user: string;
}

export interface RunningServer {
  readonly port: number;
  readonly mails: TakenMail[];
  /** Connections so far. */
  readonly connections: () => number;
  close(): void;
}

export async function takingServer(options: SMTPServerOptions = {}): Promise<RunningServer> {
  const mails: TakenMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    hideSTARTTLS: options.key === undefined,
    disabledCommands: options.onAuth ? [] : ['AUTH'],
    onConnect: (_, done) => {
      connections += 1;
      done();
    },
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      if (stream.sizeExceeded) return done(Object.assign(new Error('Too large'), { responseCode: 552 }));
      const raw = Buffer.concat(chunks);
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      const from = mailFrom ? mailFrom.address : '';
      const parsed = await PostalMime.parse(raw);
      mails.push({
        from,
        to,
        raw: raw.toString(),
        mail: parsed,
        secure: session.secure,
        user: String(session.user ?? ''),
      });
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  const socket = server.listen(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: portOf(socket), mails, connections: () => connections, close: () => void server.close() };
}

export const STAGES = ['greeting', 'EHLO', 'MAIL FROM', 'RCPT TO', 'DATA', 'message'] as const;
export type Stage = (typeof STAGES)[number];

const REPLIES: Readonly<Record<Stage, string>> = {
  greeting: '220 test ESMTP',
  EHLO: '250 test',
  'MAIL FROM': '250 ok',
  'RCPT TO': '250 ok',
  DATA: '354 go on',
  message: '250 taken',
};

/** Answers as a server does, until `stage`: there it keeps silent, closes the connection, or gives this answer. */
export async function failingServer(stage: Stage, fault: 'SILENT' | 'LEAVES' | string): Promise<RunningServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    connections += 1;
    talk(socket, (at) => {
      if (at !== stage) socket.write(`${REPLIES[at]}\r\n`);
      else if (fault === 'LEAVES') socket.destroy();
      else if (fault !== 'SILENT') socket.write(`${fault}\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: portOf(server), mails: [], connections: () => connections, close };
}

/** Calls `at` with each stage that the client has reached. */
function talk(socket: Socket, at: (stage: Stage) => void): void {
  let text = '';
  let inMessage = false;
  at('greeting');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = inMessage ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
      if (end < 0) return;
      const line = text.slice(0, end);
      text = text.slice(end + (inMessage ? 5 : 2));
      const stage = inMessage ? 'message' : STAGES.find((each) => line.toUpperCase().startsWith(each));
      inMessage = stage === 'DATA';
      if (stage) at(stage);
      else socket.write('250 ok\r\n');
    }
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
