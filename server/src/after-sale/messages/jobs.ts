import { job, every, on } from '#platform'
import { chaseAnswers } from './chase-answers.ts'
import { planReply, replyAsSeller } from './seller-replies.ts'

export const handlers = [on('message.written', 'messages.plan-reply', { commit: planReply })]

export const jobs = [job<{ conversationId: string; seq: number }>('messages.reply', { commit: replyAsSeller })]

export const schedules = [every(60_000, 'messages.chase-answers', chaseAnswers)]
