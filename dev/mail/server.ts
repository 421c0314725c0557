/**
 * Entry of the development in-box: takes every mail by SMTP, shows it on a page and as JSON, sends nothing on. Started
 * by `npm start`.
 */
import { z } from 'zod';
import { listenShape, parseConfig, port } from '../../platform/config.ts';
import { listenInBox } from './in-box.ts';
import { MailBox } from './mail-box.ts';

const config = parseConfig({ ...listenShape, SMTP_PORT: port, MAIL_DIRECTORY: z.string() });
const mailBox = await MailBox.open(config.MAIL_DIRECTORY);
const inBox = await listenInBox(mailBox, { smtp: config.SMTP_PORT, http: config.PORT });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, inBox.close);
