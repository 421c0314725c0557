/** The line above the editors: examples, run, dialect, language, help. Native controls only, so that keyboard and readers know them. */
import { useState } from 'react';
import type { PageSetup } from './page-setup.ts';
import type { Texts } from './texts.ts';

export interface BarProps {
  readonly setup: PageSetup;
  readonly texts: Texts;
  readonly onExample: (id: string) => void;
  readonly onRun: () => void;
  readonly onLanguage: () => void;
}

export function Bar({ setup, texts, onExample, onRun, onLanguage }: BarProps) {
  const [helpShown, showHelp] = useState(false);
  return (
    <header className="bar">
      <div className="bar-line">
        <h1>{texts.title}</h1>
        <nav aria-label={texts.dialect}>
          {(['v2', 'v3'] as const).map((dialect) => (
            <a
              key={dialect}
              href={`../${dialect}/ide${location.search}`}
              aria-current={dialect === setup.dialect ? 'page' : undefined}
            >
              {dialect}
            </a>
          ))}
        </nav>
        <label className="example">
          <span>{texts.examples}</span>
          <select id="example" defaultValue="" onChange={(event) => onExample(event.currentTarget.value)}>
            <option value="" disabled>
              {texts.choose}
            </option>
            {setup.examples.map(({ id, names }) => (
              <option key={id} value={id}>
                {names[setup.language]}
              </option>
            ))}
          </select>
        </label>
        <button type="button" id="run" className="first" onClick={onRun}>
          {texts.run}
        </button>
        <span className="rest">
          <button
            type="button"
            id="help"
            aria-expanded={helpShown}
            aria-controls="help-text"
            onClick={() => showHelp(!helpShown)}
          >
            {texts.help}
          </button>
          <button type="button" id="language" lang={texts.otherLanguageCode} onClick={onLanguage}>
            {texts.otherLanguage}
          </button>
        </span>
      </div>
      <section id="help-text" aria-label={texts.helpTitle} hidden={!helpShown}>
        <ul>
          {texts.helpLines.map((line) => (
            <li key={line}>{line.replace('{header}', setup.clientNameHeader)}</li>
          ))}
        </ul>
      </section>
    </header>
  );
}
