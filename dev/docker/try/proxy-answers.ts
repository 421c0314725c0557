/** Checks the answers that the proxy gives without a process. Caller: main.ts. Throws for the first wrong answer. */
import assert from 'node:assert/strict';

const PATH = '/customers/v2/profiles?pageSize=1';

/** `url` is the public address; `httpPort` serves plain HTTP under any name of this machine. */
export async function checkProxyAnswers(url: string, httpPort: number): Promise<void> {
  for (const host of ['localhost', '127.0.0.1']) {
    const plain = `http://${host}:${httpPort}${PATH}`;
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(plain, { method, redirect: 'manual' });
      const got = [answer.status, answer.headers.get('location')];
      assert.deepEqual(got, [301, `${url}${PATH}`], `${method} of ${plain}`);
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(plain, { method, redirect: 'manual' });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], `${method} of ${plain}`);
    }
  }
  for (const path of ['/metrics', '/metrics/', '/METRICS']) {
    assert.equal((await fetch(`${url}${path}`)).status, 404, `${path} is shown to everybody`);
  }
}
