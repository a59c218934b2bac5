import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium } from '@purlin/e2e/support/browser.ts'

/** True when there is a Chromium; on Debian and its kin, as root, it is installed. Says one sentence when there is none. */
export function ensureChromium(): boolean {
  if (findChromium()) return true
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('Installing Chromium for the journeys …\n')
    const options = { stdio: ['ignore', 'ignore', 'inherit'] as const, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    const install = () => spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], options as never).status === 0
    if (install() || (spawnSync('apt-get', ['update', '-qq'], options as never).status === 0 && install()))
      return findChromium() !== undefined
  }
  process.stdout.write('The journeys need Chromium and there is none: install the package chromium, or name one in CHROMIUM.\n')
  return false
}
