import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Where this machine has a Chromium; `CHROMIUM` names one elsewhere. Undefined when there is none. */
export function findChromium(): string | undefined {
  return [process.env['CHROMIUM'], ...places].find((path) => path !== undefined && existsSync(path))
}

/** The system's Chromium without a window. @throws one sentence when there is none */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('The journeys need Chromium: install the package chromium, or name one in CHROMIUM.')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
