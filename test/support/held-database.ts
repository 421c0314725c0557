/**
 * A proxy before a database that passes everything on but one command. The process that sends it waits at exactly that point, and a test
 * can kill it there. Callers: tests of processes that die half-way.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface HeldDatabase {
  /** Address for the process that shall wait. */
  readonly uri: string;
  /** Settles when the command has come. */
  readonly held: Promise<unknown>;
  close(): void;
}

/** In front of `uri`, which names one host alone. */
export async function holdDatabase(uri: string, command: 'find' | 'insert', collection: string): Promise<HeldDatabase> {
  const { hostname, port, host } = new URL(uri);
  const held = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const database = connect({ host: hostname, port: Number(port) });
    for (const socket of [caller, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [caller, database].forEach((each) => void each.destroy()));
    }
    database.pipe(caller);
    // A connection has one command on its way at a time, and it begins with its name.
    caller.on('data', (chunk) => {
      if (chunk.includes(firstMember(command, collection))) held.resolve();
      else database.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: uri.replace(host, `127.0.0.1:${(server.address() as AddressInfo).port}`),
    held: held.promise,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A string as BSON has it: type, name, length, text. */
function firstMember(name: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32LE(Buffer.byteLength(text) + 1);
  return Buffer.concat([Buffer.from(`\x02${name}\0`), length, Buffer.from(`${text}\0`)]);
}
