import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** Folders whose files are the project's own sources. */
export const sourceFolders = [
  'contract',
  'words',
  'web',
  'search',
  'ui',
  'server',
  'services',
  'storefront',
  'backoffice',
  'demo',
  'bench',
  'e2e',
  'start',
  'scripts',
]

/** All files below a folder with this suffix, as paths from the root; sorted. */
export function filesBelow(folder: string, ending: RegExp): string[] {
  const found: string[] = []
  const visit = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) continue
      const below = join(path, entry.name)
      if (entry.isDirectory()) visit(below)
      else if (ending.test(entry.name)) found.push(relative(root, below).replaceAll('\\', '/'))
    }
  }
  try {
    visit(join(root, folder))
  } catch {
    return []
  }
  return found.sort()
}

/** Every test file except the journeys, which share one shop and are run by e2e/run.ts. */
export function findTests(): string[] {
  return sourceFolders.flatMap((folder) => filesBelow(folder, /\.test\.tsx?$/)).filter((file) => !file.startsWith('e2e/journeys/'))
}
