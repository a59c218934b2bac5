import type { ReactNode } from 'react'
import { HubSearch, searched } from '../advice/hub-page.tsx'
import { wordsOf } from '../advice/lines.tsx'
import { EntriesDocument, type TextFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { loadText } from './load-text.ts'
import { OperatorDetails } from './operator-details.tsx'
import { TextView } from './text-view.tsx'
import styles from './help.module.css'

interface Answer {
  title: string
  url: string
}

/** The help centre: its text, articles, and a search in both. */
export async function load(context: ShopContext) {
  const loaded = await loadText(context)
  if (!('data' in loaded)) return loaded
  const asked = searched(context)
  const { entries } = await context.client.query(EntriesDocument, { kind: 'help', query: asked || null })
  const articles = entries.flatMap(({ title, url }): Answer[] => (url === null ? [] : [{ title, url }]))
  return {
    ...loaded,
    data: { ...loaded.data, asked, answers: asked ? [...questionsIn(loaded.data.text, asked), ...articles] : articles },
    ...(asked && { robots: 'noindex, follow' }),
  }
}

/** Questions of the text that have one of the words asked for, in the question or in its answer; most words first. */
function questionsIn({ blocks }: TextFragment, asked: string): Answer[] {
  const wanted = plain(asked)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
  return blocks
    .flatMap((block, index) => {
      if (block.kind !== 'heading' || block.id === null) return []
      const next = blocks.findIndex(({ kind }, at) => at > index && kind === 'heading')
      const section = plain(
        blocks
          .slice(index, next < 0 ? undefined : next)
          .flatMap(({ lines }) => lines.map(wordsOf))
          .join(' '),
      )
      const points = wanted.filter((word) => section.includes(word)).length
      return points > 0 ? [{ title: block.lines.map(wordsOf).join(''), url: `${paths.helpCenter()}#${block.id}`, points }] : []
    })
    .toSorted((a, b) => b.points - a.points)
    .slice(0, 8)
    .map(({ title, url }) => ({ title, url }))
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export function Page({ data: { text, operator, asked, answers }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <TextView
      text={text}
      context={context}
      parts={{ operator: <OperatorDetails operator={operator} context={context} /> }}
      below={
        <div className={styles.help}>
          <p>
            <a href={paths.orderSelection()}>{t('support.start')}</a>
          </p>
          <p>
            <a href={paths.findOrder()}>{t('find-order.link')}</a>
          </p>
          <HubSearch action={paths.helpCenter()} asked={asked} label={t('advice.help-search')} context={context} />
          {(asked || answers.length > 0) && (
            <section aria-labelledby="answers">
              <h2 id="answers">{asked ? t('advice.found', { count: answers.length, query: asked }) : t('advice.help-articles')}</h2>
              <ul>
                {answers.map(({ title, url }) => (
                  <li key={url}>
                    <a href={url}>{title}</a>
                  </li>
                ))}
              </ul>
              {answers.length === 0 && (
                <p>
                  <a href={paths.contact()}>{t('shell.contact')}</a>
                </p>
              )}
            </section>
          )}
        </div>
      }
    />
  )
}
