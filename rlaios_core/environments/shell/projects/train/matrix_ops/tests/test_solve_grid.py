import unittest
from fractions import Fraction

from matrix.grid import border, flip, neighbors, peaks, roll, rotate, window_sums
from matrix.solve import determinant, find_pivot, inverse, rank, reduce_rows, solve, swap_rows

NINE = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


class SolveTest(unittest.TestCase):
    def test_swap_rows(self):
        m = [[1], [2], [3]]
        self.assertEqual(swap_rows(m, 0, 2), [[3], [2], [1]])
        self.assertEqual(m, [[1], [2], [3]])

    def test_find_pivot_largest(self):
        self.assertEqual(find_pivot([[9, 0], [1, 2], [5, -4], [3, 4]], 1, 0), 2)

    def test_find_pivot(self):
        self.assertEqual(find_pivot([[9], [1], [5]], 0, 1), 2)
        self.assertEqual(find_pivot([[9], [7], [5]], 0, 1), 1)
        self.assertIsNone(find_pivot([[3, 1], [0, 1]], 0, 1))

    def test_reduce_rows(self):
        self.assertEqual(reduce_rows([[2, 4], [1, 5]]), ([[1, 0], [0, 1]], [0, 1]))
        self.assertEqual(reduce_rows([[0, 2, 6], [0, 1, 3]]), ([[0, 1, 3], [0, 0, 0]], [1]))

    def test_rank(self):
        self.assertEqual(rank(NINE), 2)
        self.assertEqual(rank([[0, 0]]), 0)

    def test_determinant_small(self):
        self.assertEqual(determinant([[3, 1], [4, 2]]), 2)
        self.assertEqual(determinant([]), 1)

    def test_determinant_three(self):
        self.assertEqual(determinant([[2, 0, 1], [1, 3, 2], [1, 1, 4]]), 18)
        self.assertEqual(determinant(NINE), 0)

    def test_solve(self):
        self.assertEqual(solve([[2, 1], [1, -1]], [5, 1]), [2, 1])
        self.assertEqual(solve([[0, 2], [3, 0]], [1, 1]), [Fraction(1, 3), Fraction(1, 2)])
        with self.assertRaises(ValueError):
            solve([[1, 2], [2, 4]], [1, 2])

    def test_inverse(self):
        self.assertEqual(inverse([[2, 1], [5, 3]]), [[3, -1], [-5, 2]])
        self.assertEqual(inverse([[4]]), [[Fraction(1, 4)]])
        with self.assertRaises(ValueError):
            inverse([[1, 2], [2, 4]])


class GridTest(unittest.TestCase):
    def test_rotate(self):
        self.assertEqual(rotate([[1, 2], [3, 4], [5, 6]]), [[5, 3, 1], [6, 4, 2]])

    def test_flip(self):
        self.assertEqual(flip([[1, 2], [3, 4]]), [[2, 1], [4, 3]])
        self.assertEqual(flip([[1, 2], [3, 4]], vertical=True), [[3, 4], [1, 2]])

    def test_border(self):
        self.assertEqual(border(NINE), [1, 2, 3, 6, 9, 8, 7, 4])
        self.assertEqual(border([[1, 2], [3, 4]]), [1, 2, 4, 3])

    def test_neighbors_inside(self):
        self.assertEqual(neighbors(NINE, 1, 1), [2, 4, 6, 8])

    def test_neighbors_corners(self):
        self.assertEqual(neighbors(NINE, 0, 0), [2, 4])
        self.assertEqual(neighbors(NINE, 2, 2), [6, 8])

    def test_neighbors_wide_grid(self):
        self.assertEqual(neighbors([[1, 2]], 0, 1), [1])
        self.assertEqual(neighbors([[1, 2, 3], [4, 5, 6]], 1, 2), [3, 5])

    def test_peaks(self):
        self.assertEqual(peaks([[9, 1, 2], [3, 4, 5]]), [(0, 0), (1, 2)])
        self.assertEqual(peaks([[1, 1], [0, 1]]), [])

    def test_window_sums(self):
        self.assertEqual(window_sums(NINE, 2), [[12, 16], [24, 28]])
        self.assertEqual(window_sums([[1, 2, 4], [3, 5, 7]], 2), [[11, 18]])

    def test_window_of_one_and_all(self):
        self.assertEqual(window_sums([[1, 2]], 1), [[1, 2]])
        self.assertEqual(window_sums(NINE, 3), [[45]])

    def test_roll(self):
        self.assertEqual(roll([[1], [2], [3]], 1), [[3], [1], [2]])
        self.assertEqual(roll([[1], [2], [3]], 3), [[1], [2], [3]])

    def test_roll_back_and_far(self):
        self.assertEqual(roll([[1], [2], [3]], -1), [[2], [3], [1]])
        self.assertEqual(roll([[1], [2], [3]], 5), [[2], [3], [1]])
