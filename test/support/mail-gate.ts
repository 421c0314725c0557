/**
 * A mail server behind a gate that fails as networks and servers do. The server refuses addresses that begin with `unknown`, and
 * keeps what it takes, every copy.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type RunningServer, type TakenMail, takingServer } from '../platform/mail/smtp-servers.ts';

/**
 * OPEN: passes everything on. SHUT: nobody listens. SILENT: never answers. CUT: the server takes the mail, and the connection breaks
 * before its answer.
 */
export type GateMode = 'OPEN' | 'SHUT' | 'SILENT' | 'CUT';

const END_OF_MAIL = '\r\n.\r\n';

export class MailGate {
  #mode: GateMode = 'OPEN';
  readonly #server: RunningServer;
  readonly #gate = createServer((socket) => this.#pass(socket));
  readonly #sockets = new Set<Socket>();

  static async open(): Promise<MailGate> {
    const server = await takingServer({
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith('unknown') ? Object.assign(new Error('5.1.1 unknown'), { responseCode: 550 }) : null),
    });
    const gate = new MailGate(server);
    gate.#gate.listen(0, '127.0.0.1');
    await once(gate.#gate, 'listening');
    return gate;
  }

  private constructor(server: RunningServer) {
    this.#server = server;
  }

  /** Connections that were kept open end. */
  set mode(mode: GateMode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** For MAIL_SERVER. */
  get url(): string {
    return `smtp://127.0.0.1:${(this.#gate.address() as AddressInfo).port}`;
  }

  /** That are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  get mails(): readonly TakenMail[] {
    return this.#server.mails;
  }

  /** As a mailbox shows them: one copy of each Message-ID. */
  inbox(to?: string): readonly TakenMail[] {
    const own = this.mails.filter((mail) => to === undefined || mail.to.includes(to));
    return [...new Map(own.map((each) => [each.mail.messageId, each])).values()];
  }

  empty(): void {
    this.#server.mails.length = 0;
    this.mode = 'OPEN';
  }

  close(): void {
    this.#gate.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #pass(client: Socket): void {
    this.#keep(client);
    const mode = this.#mode;
    if (mode === 'SHUT') client.destroy();
    if (mode === 'SHUT' || mode === 'SILENT') return;
    const server = this.#keep(connect(this.#server.port, '127.0.0.1'));
    let isSent = false;
    client.on('data', (chunk: Buffer) => {
      isSent ||= chunk.toString('latin1').includes(END_OF_MAIL);
      server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => {
      if (mode === 'CUT' && isSent) client.destroy();
      else client.write(chunk);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket.on('error', () => {}));
    return socket.on('close', () => this.#sockets.delete(socket));
  }
}
