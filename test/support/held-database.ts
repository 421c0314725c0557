/**
 * Runs a proxy that forwards everything to a database except one command. The process that sends this command waits,
 * and a test can kill it at exactly that point. Callers: tests of processes that are killed half-way.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface HeldDatabase {
  /** The database address for the process that must wait. */
  readonly uri: string;
  /** Settles when the command has arrived. */
  readonly held: Promise<unknown>;
  close(): void;
}

/** Starts the proxy in front of `uri`, which must name a single host. */
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
    // A connection carries one command at a time, and the command begins with its name.
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

/** Encodes a string as BSON does: type, name, length, text. */
function firstMember(name: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32LE(Buffer.byteLength(text) + 1);
  return Buffer.concat([Buffer.from(`\x02${name}\0`), length, Buffer.from(`${text}\0`)]);
}
