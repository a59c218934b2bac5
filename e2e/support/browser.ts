import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of Chromium on this machine; if `CHROMIUM` is set, only that one. Undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM']
  return (named ? [named] : places).find((path) => existsSync(path))
}

/** The message for a machine without Chromium. */
export function withoutChromium(): string {
  const named = process.env['CHROMIUM']
  return named
    ? `The journeys need Chromium, and CHROMIUM names ${named}, where there is none.`
    : 'The journeys need Chromium and there is none: install the package chromium, or name one in CHROMIUM.'
}

/** A headless browser would count as a crawler. */
const personsBrowser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The system's Chromium, headless; without pictures if only their positions matter. @throws one sentence when there is none */
export async function launchBrowser({ pictures = true }: { pictures?: boolean } = {}): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(withoutChromium())
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
      // A context's own is not always there yet when the first script of a page in a new process asks.
      `--user-agent=${personsBrowser}`,
      ...(pictures ? [] : ['--blink-settings=imagesEnabled=false']),
    ],
  })
}

/**
 * Lets pages replace each other without a transition, whose every picture is drawn by the processor. Nothing else changes: a visitor
 * who prefers reduced motion would see focus and sizes a frame late.
 */
export async function withoutPageTransitions(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('@view-transition { navigation: none }')
    document.adoptedStyleSheets.push(sheet)
  })
}

/** Disables transitions and animations on the page from now on, and draws all of it: a picture of a whole page shows no empty cards. */
export async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A constructed style sheet: the page's policy allows no style element.
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets.push(still)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}
