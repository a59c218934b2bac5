import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium, withoutChromium } from '@purlin/e2e/support/browser.ts'

/** The operations on a machine that installing Chromium needs. */
export interface Machine {
  find: () => string | undefined
  /** Whether packages may be installed here: on Debian and its derivatives, as root. */
  mayInstall: boolean
  apt: (...args: string[]) => void
  say: (line: string) => void
}

const thisMachine: Machine = {
  find: findChromium,
  mayInstall: process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && !process.env['CHROMIUM'],
  apt: (...args) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  },
  say: (line) => void process.stdout.write(`${line}\n`),
}

/** True when there is a Chromium, installed now if allowed. Prints one sentence when there is none. */
export function ensureChromium({ find, mayInstall, apt, say }: Machine = thisMachine): boolean {
  if (find()) return true
  if (mayInstall) {
    say('Installing Chromium for the journeys …')
    // Without a fetched package list the package is unknown.
    apt('update')
    // The shell without a window uses a quarter less of a processor; distributions without it have the whole browser.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      apt('install', '-y', name)
      if (find()) return true
    }
  }
  say(withoutChromium())
  return false
}
