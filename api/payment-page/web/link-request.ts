/** Reads the address of a request: `/<orderId>/<token>`, and what is asked of the page. Pure. */

/** By the end of the path. */
const ACTIONS = {
  '': { name: 'show', method: 'GET' },
  '/status': { name: 'status', method: 'GET' },
  '/return': { name: 'return', method: 'GET' },
  '/pay': { name: 'pay', method: 'POST' },
  '/other-method': { name: 'otherMethod', method: 'POST' },
} as const;

type End = keyof typeof ACTIONS;
export type LinkAction = (typeof ACTIONS)[End]['name'];

export interface LinkRequest {
  readonly orderId: string;
  /** A secret. */
  readonly token: string;
  /** Of the page, without the end of the action. */
  readonly path: string;
  readonly action: LinkAction;
  /** The one method of the action; HEAD counts as GET. */
  readonly method: 'GET' | 'POST';
  /** How logs, figures and traces show the path: never with the token. */
  readonly route: string;
}

/** Longer ones are no links of ours, and are looked up by nobody. */
const LINK = /^\/([\w-]{1,40})\/([\w-]{1,100})(\/[a-z-]{1,20})?$/;

/** Undefined for every path that is no link. */
export function parseLink(path: string): LinkRequest | undefined {
  const [, orderId, token, end = ''] = LINK.exec(path) ?? [];
  if (orderId === undefined || token === undefined || !isEnd(end)) return undefined;
  const { name, method } = ACTIONS[end];
  return { orderId, token, path: `/${orderId}/${token}`, action: name, method, route: `/{orderId}/:token${end}` };
}

function isEnd(end: string): end is End {
  return Object.hasOwn(ACTIONS, end);
}
