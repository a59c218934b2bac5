import { Flash, FlashList } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { Flash as FlashMessage } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import type { ShopContext } from './context.ts'
import { flashCookie, readFlash } from './flash.ts'
import styles from './shell.module.css'

/** The message of a redirect, consumed once; on a shared page a script reads it instead. */
export function takeFlash(context: ShopContext): FlashMessage | null {
  if (context.shared) return null
  const flash = readFlash(context.cookies[flashCookie])
  if (flash) context.setCookie(`${flashCookie}=; Path=/; Max-Age=0`)
  return flash
}

/** Current messages, and the log of dismissed ones. (decision 7) */
export function FlashArea({ context, flash }: { context: ShopContext; flash: FlashMessage | null }): ReactNode {
  const { t, catalogue } = context
  const words: Record<string, unknown> = catalogue
  const message = flash && words[flash.key]
  return (
    <Enhance with="flash" when="load">
      <FlashList
        items={flash && typeof message === 'string' ? [{ severity: flash.severity, message }] : []}
        words={{ area: t('shell.messages'), close: t('shell.close') }}
      />
      <details className={styles.flashLog} data-flash-log hidden>
        <summary>{t('shell.messages')}</summary>
        <ul />
      </details>
      <template>
        <Flash severity="info" message="" close={t('shell.close')} />
      </template>
      {context.shared && context.flashes.length > 0 && <span data-words={linesOf(context)} hidden />}
    </Enhance>
  )
}

/**
 * The messages that redirects to a shared page may leave, for the script that reads the cookie. Lines `key|message` weigh
 * half of what JSON in an attribute does. (V-100)
 */
function linesOf({ flashes, catalogue }: ShopContext): string {
  const words: Record<string, unknown> = catalogue
  return flashes.map((key) => `${key.slice('flash.'.length)}|${String(words[key])}`).join('\n')
}
