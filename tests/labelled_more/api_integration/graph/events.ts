import { GraphQLError } from 'graphql';
import type { Resolvers } from './types';

export const resolvers: Resolvers = {
  Query: {
    course: (_, { id }, { loaders }) => loaders.course.load(id),
    courses: (_, { first, after }, { db }) => db.coursePage(Math.min(first ?? 20, 100), after),
  },
  Mutation: {
    enrol: async (_, { courseId }, { db, viewer }) => {
      if (!viewer) throw new GraphQLError('sign in first', { extensions: { code: 'UNAUTHENTICATED' } });
      const seat = await db.takeSeat(courseId, viewer.id);
      return seat ? { __typename: 'Enrolled', seat } : { __typename: 'Waitlisted', position: await db.queueLength(courseId) };
    },
  },
  Course: {
    teachers: (c, _, { loaders }) => loaders.person.loadMany(c.teacherIds),
    free: (c) => c.size - c.taken,
  },
  EnrolResult: { __resolveType: (r) => r.__typename },
};
