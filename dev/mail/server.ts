/** Entry of the development in-box: takes mail by SMTP, shows it on a page and as JSON. Started by `npm start`. */
import { z } from 'zod';
import { listenShape, parseConfig, port } from '../../platform/config.ts';
import { MailBox } from './mail-box.ts';
import { listenSmtp } from './smtp.ts';
import { listenWeb } from './web.ts';

const config = parseConfig({ ...listenShape, SMTP_PORT: port, MAIL_DIRECTORY: z.string() });
const mailBox = new MailBox(config.MAIL_DIRECTORY);
const smtp = await listenSmtp(mailBox, config.SMTP_PORT, config.HOST);
const web = await listenWeb(mailBox, config.PORT, config.HOST);
console.log(JSON.stringify({ msg: 'ready', url: web.url, smtpPort: smtp.port }));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void Promise.all([smtp.close(), web.close()]).then(() => process.exit(0));
  });
}
