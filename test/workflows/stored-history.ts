/** Histories as files: the server's message as plain JSON, bytes in base64. */
import proto from '@temporalio/proto';

const { History } = proto.temporal.api.history.v1;
type History = proto.temporal.api.history.v1.IHistory;

export function historyToText(history: History): string {
  const plain = History.toObject(History.fromObject(history), { longs: String, enums: String, bytes: String });
  // Which machine recorded it is nobody's business, and no part of what is replayed.
  const anonymous = (name: string, value: unknown) => (/identity$/i.test(name) ? 'recorder' : value);
  return `${JSON.stringify(plain, anonymous, 1)}\n`;
}

/** Throws when the text is no history. */
export function historyFromText(text: string): History {
  const history = History.fromObject(JSON.parse(text));
  if (history.events.length === 0) throw new Error('The history has no events');
  return history;
}
