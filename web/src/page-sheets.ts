import { dirname, relative } from 'node:path'
import type { Plugin } from 'vite'

/** CSS modules and pages seen by one build, read from its module graph when it has ended. */
export interface SeenModules {
  plugin: Plugin
  /** All CSS modules. */
  styles: Set<string>
  /** The CSS modules a page imports, directly or not, by the page's path from the entry. */
  pages: Map<string, Set<string>>
}

const fileOf = (id: string) => id.replace(/\?.*$/, '')

/** A plugin that notes the CSS modules of a build, and those of each page for a server build. */
export function seeModules(entry: string): SeenModules {
  const styles = new Set<string>()
  const pages = new Map<string, Set<string>>()
  const plugin: Plugin = {
    name: 'see-modules',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        if (id.includes('.module.css')) styles.add(fileOf(id))
        if (!id.endsWith('-page.tsx')) continue
        const found = new Set<string>()
        const seen = new Set([id])
        for (const each of seen) {
          if (each.includes('.module.css')) found.add(fileOf(each))
          for (const imported of this.getModuleInfo(each)?.importedIds ?? []) seen.add(imported)
        }
        pages.set(`./${relative(dirname(entry), id)}`, found)
      }
    },
  }
  return { plugin, styles, pages }
}

/** The further style sheets each page needs, by the page's file: those with a CSS module that it imports. */
export function sheetsOfPages(
  pages: ReadonlyMap<string, ReadonlySet<string>>,
  sheets: Readonly<Record<string, ReadonlySet<string>>>,
): Record<string, string[]> {
  const named = [...pages].map(([file, styles]): [string, string[]] => [
    file,
    Object.entries(sheets).flatMap(([name, within]) => (styles.isDisjointFrom(within) ? [] : [name])),
  ])
  return Object.fromEntries(named.filter(([, names]) => names.length > 0))
}
