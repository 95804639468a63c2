"""The fused lens against its definition: in Triton's interpreter, and on a GPU where there is one.

`TestInInterpreter` runs in a process of its own (`triton_interpreter`).
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from triton_interpreter import INTERPRETED, all_pass_interpreted, outside

from reticent_kernels import LensOutput, logit_lens, torch_or_triton

pytest.importorskip("triton")
from reticent_kernels import lens_triton
from reticent_kernels.lens_triton import FLOAT32_TILE, MAX_K, ROUTES, SMALL_TILE, CublasRoute, Route

torch.set_num_threads(1)

SHIPPED = sorted({route for _, *pair in ROUTES for route in pair} | {FLOAT32_TILE, SMALL_TILE})
LIBRARY = CublasRoute(5 * 300)
"""In chunks of one tile for five rows, so that there are several."""


def epsilon(hidden: torch.Tensor) -> float:
    """Of the largest logit: what the kernel may be wrong by beyond the torch reference, which multiplies in float32.

    Eight roundings; on a GPU tensor cores truncate, so in half precision one for each of their steps of 16 over d.
    """
    steps = hidden.shape[1] // 16 if hidden.is_cuda and hidden.dtype != torch.float32 else 0
    return max(8, steps) * torch.finfo(torch.float32).eps


def gaussian(rows: int, size: int, d: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, d, generator=generator), torch.randn(size, d, generator=generator)


def integers(rows: int, size: int, d: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Products that are small integers: exact in any order of summation, and full of ties."""
    generator = torch.Generator().manual_seed(seed)
    draw = [torch.randint(-1, 2, (n, d), generator=generator).float() for n in (rows, size)]
    return draw[0], draw[1]


def one_hot(logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """States and an unembedding whose products are exactly `logits` [R, V]."""
    return torch.eye(len(logits)), logits.T.contiguous()


def fused(hidden: torch.Tensor, weights: torch.Tensor, k: int, **options: Any) -> LensOutput:
    return logit_lens(hidden, weights, k, impl="triton", **options)


def run(hidden: torch.Tensor, weights: torch.Tensor, k: int, *chosen: torch.Tensor, **options: Any) -> lens_triton.Plan:
    """A plan whose launches have been run; it also says how many groups of each row were multiplied again."""
    made = lens_triton.plan(hidden, weights, k, *chosen, **options)
    for step in made.launches:
        step.run()
    return made


def assert_same(ours: LensOutput, wanted: LensOutput) -> None:
    """Logits, ids and ranks exactly; sums to rounding."""
    for name in ("topk_logit", "topk_id", "chosen_logit", "chosen_rank"):
        a, b = getattr(ours, name), getattr(wanted, name)
        assert (a is None) == (b is None)
        if b is not None:
            torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True, msg=name)
    for name in ("logsumexp", "entropy"):
        a, b = getattr(ours, name), getattr(wanted, name)
        assert (a is None) == (b is None)
        if b is not None:
            torch.testing.assert_close(a, b, rtol=2e-6, atol=2e-6, equal_nan=True)


def assert_as_good_as_torch(hidden: torch.Tensor, weights: torch.Tensor, k: int, **options: Any) -> LensOutput:
    """The kernel is no further from float64 than the torch reference, and each id's place is one its logit allows."""
    ours, theirs = (logit_lens(hidden, weights, k, impl=impl, **options) for impl in ("triton", "torch"))
    chosen, entropy = options.pop("chosen", None), options.pop("entropy", False)
    vocabulary = options.pop("vocabulary", len(weights))
    exact = hidden.double() @ weights.double().T
    if (bias := options.get("bias")) is not None:
        exact = exact + bias.double()
    exact = exact * options.get("scale", 1.0)
    if cap := options.get("softcap"):
        exact = cap * torch.tanh(exact / cap)
    exact[:, vocabulary:] = -math.inf
    allowed = epsilon(hidden) * float(exact[:, :vocabulary].abs().max())

    def error(out: LensOutput, name: str, wanted: torch.Tensor) -> float:
        return float((getattr(out, name).double() - wanted).abs().max())

    def no_worse(name: str, wanted: torch.Tensor) -> None:
        assert error(ours, name, wanted) <= error(theirs, name, wanted) + allowed, name

    no_worse("topk_logit", exact.topk(k).values)
    assert float((ours.topk_logit - exact.gather(1, ours.topk_id)).abs().max()) <= allowed + error(
        theirs, "topk_logit", exact.gather(1, theirs.topk_id)
    )
    assert all(len(set(row)) == k for row in ours.topk_id.tolist())
    no_worse("logsumexp", exact.logsumexp(1))
    if entropy:
        p = exact.softmax(1)
        no_worse("entropy", -torch.special.xlogy(p, p).sum(1))
    if chosen is not None:
        own = exact.gather(1, chosen.unsqueeze(1))
        real = chosen < vocabulary
        slack = error(theirs, "topk_logit", exact.topk(k).values) + allowed
        assert ours.chosen_logit is not None and ours.chosen_rank is not None
        assert ((ours.chosen_logit - own[:, 0]).abs()[real] <= slack).all()
        least, most = (exact > own + slack).sum(1), (exact >= own - slack).sum(1)
        assert ((least <= ours.chosen_rank) & (ours.chosen_rank < most))[real].all()
    return ours


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy, in which the interpreter computes, warns of inf and NaN
class TestInInterpreter:
    __test__ = INTERPRETED

    @pytest.fixture(autouse=True)
    def _poisoned(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What is allocated holds nothing that could pass for a result."""
        empty = torch.empty

        def poison(*args: Any, **kwargs: Any) -> torch.Tensor:
            made = empty(*args, **kwargs)
            return made.fill_(math.nan if made.is_floating_point() else 85)

        monkeypatch.setattr(torch, "empty", poison)

    @pytest.mark.parametrize("route", [*SHIPPED, LIBRARY, CublasRoute(1 << 23)], ids=str)
    def test_each_route_is_as_good_as_torch(self, route: Route, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lens_triton, "choose_route", lambda *_: route)
        hidden, weights = gaussian(5, 330, 100)
        chosen = torch.arange(5) * 66
        assert_as_good_as_torch(hidden, weights, 6, chosen=chosen, entropy=True)

    @pytest.mark.parametrize("bias", [None, torch.linspace(-3, 3, 333)], ids=["", "bias"])
    @pytest.mark.parametrize("scale", [1.0, 0.25])
    @pytest.mark.parametrize("softcap", [None, 5.0])
    def test_scale_bias_and_cap(self, scale: float, softcap: float | None, bias: torch.Tensor | None) -> None:
        hidden, weights = gaussian(3, 333, 20)
        options = {"scale": scale, "softcap": softcap, "bias": bias}
        assert_as_good_as_torch(hidden, weights, 6, chosen=torch.tensor([0, 7, 332]), entropy=True, **options)

    @pytest.mark.parametrize("dtypes", ["float16 float16", "bfloat16 bfloat16", "float32 bfloat16", "bfloat16 float16"])
    def test_half_precision_accumulates_in_float32(self, dtypes: str) -> None:
        a, b = (getattr(torch, name) for name in dtypes.split())
        hidden, weights = gaussian(4, 300, 128)
        assert_as_good_as_torch(hidden.to(a), weights.to(b), 8, chosen=torch.arange(4), entropy=True)

    @pytest.mark.parametrize(
        ("size", "dtype"), [(1, torch.bfloat16), (256, torch.float16), (450, torch.bfloat16)], ids=str
    )
    def test_the_librarys_product_in_chunks(
        self, size: int, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lens_triton, "ROUTES", ((math.inf, LIBRARY, LIBRARY),))
        hidden, weights = (t.to(dtype) for t in integers(9, size, 7))
        assert lens_triton.choose_route(hidden, weights, True) == LIBRARY
        options = {
            "chosen": torch.arange(9) * 37 % size,
            "entropy": True,
            "scale": 0.5,
            "bias": torch.arange(size) / 8,
        }
        k = min(size, 9)
        assert_same(fused(hidden, weights, k, **options), logit_lens(hidden, weights, k, **options))

    def test_the_librarys_product_is_repaired_where_groups_hide_some(self) -> None:
        down = torch.arange(1000, 0, -1).float()
        hidden, weights = one_hot(torch.stack([down, down.flip(0)]))
        options = {"route": LIBRARY, "chosen": torch.tensor([3, 500])}
        made = run(hidden, weights, 10, **options)
        assert made.repairs.tolist() == [9, 9]
        assert_same(made.output, logit_lens(hidden, weights, 10, chosen=options["chosen"]))

    def test_half_precision_that_no_descriptor_can_stand_for(self) -> None:
        hidden, weights = (t.half()[:, 1:] for t in gaussian(4, 300, 30))
        assert lens_triton.choose_route(hidden, weights, False) == SMALL_TILE
        assert_as_good_as_torch(hidden, weights, 8)

    @pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 127, 128, 130, 1000])
    def test_any_size_of_vocabulary(self, size: int) -> None:
        hidden, weights = integers(3, size, 7)
        chosen = torch.tensor([0, size // 2, size - 1])
        k = min(size, 9)
        assert_same(
            fused(hidden, weights, k, chosen=chosen, entropy=True),
            logit_lens(hidden, weights, k, chosen=chosen, entropy=True),
        )

    @pytest.mark.parametrize(("rows", "groups", "k"), [(6, 5, 1), (6, 14, 2), (2, 5, 16), (2, 23, 16), (1, 5, MAX_K)])
    def test_integer_logits_full_of_ties(self, rows: int, groups: int, k: int) -> None:
        hidden, weights = integers(rows, 64 * groups - 2, 6, seed=groups)
        chosen = torch.randint(0, len(weights), (rows,), generator=torch.Generator().manual_seed(groups))
        assert_same(fused(hidden, weights, k, chosen=chosen), logit_lens(hidden, weights, k, chosen=chosen))

    def test_with_fewer_groups_than_k_every_group_is_repaired(self) -> None:
        hidden, weights = gaussian(2, 200, 16)
        assert run(hidden, weights, 16).repairs.tolist() == [4, 4]
        assert_as_good_as_torch(hidden, weights, 16)

    def test_logits_sorted_by_id_repair_all_groups_that_can_hide_one(self) -> None:
        down = torch.arange(1000, 0, -1).float()
        hidden, weights = one_hot(torch.stack([down, down.flip(0)]))
        made = run(hidden, weights, 10)
        assert made.repairs.tolist() == [9, 9]
        assert_same(made.output, logit_lens(hidden, weights, 10))

    def test_all_the_best_in_one_group(self) -> None:
        logits = torch.arange(1200).remainder(64).mul(-1.0).repeat(3, 1)
        logits[:, 128:192] += torch.randperm(64, generator=torch.Generator().manual_seed(0)) + 200
        hidden, weights = one_hot(logits)
        made = run(hidden, weights, 16)
        assert made.repairs.tolist() == [1, 1, 1]
        assert ((made.output.topk_id >= 128) & (made.output.topk_id < 192)).all()
        assert_same(made.output, logit_lens(hidden, weights, 16))

    def test_one_best_per_group_repairs_nothing(self) -> None:
        logits = torch.zeros(2, 1280)
        logits[:, ::64] = torch.arange(20, 0, -1).float()
        hidden, weights = one_hot(logits)
        made = run(hidden, weights, 10)
        assert made.repairs.tolist() == [0, 0]
        assert_same(made.output, logit_lens(hidden, weights, 10))
        assert run(*gaussian(4, 900, 8), 1).repairs.tolist() == [0] * 4

    def test_the_chosen_have_the_rank_and_the_bits_of_their_place_in_the_top_k(self) -> None:
        for hidden, weights in (gaussian(2, 700, 96), one_hot(torch.arange(700.0).repeat(2, 1))):
            best = fused(hidden, weights, 3)
            for rank in range(3):
                out = fused(hidden, weights, 3, chosen=best.topk_id[:, rank])
                assert out.chosen_rank is not None and out.chosen_logit is not None
                assert (out.chosen_rank == rank).all()
                assert torch.equal(out.chosen_logit, out.topk_logit[:, rank])
                torch.testing.assert_close(out.topk_logit, best.topk_logit)

    def test_rank_and_logit_agree_with_the_top_k_even_if_a_product_rounds_otherwise(self) -> None:
        """As if the chosen product were summed in another order, so that id 5 falls behind id 9; then a repair."""
        logits = torch.zeros(1, 200)
        logits[0, [5, 9]] = torch.tensor([4.0, 3.75])
        made = lens_triton.plan(*one_hot(logits), 4, torch.tensor([5]))
        chosen_step, tiles_step, finish_step = made.launches
        out = made.output
        assert out.chosen_logit is not None and out.chosen_rank is not None
        chosen_step.run()
        assert out.chosen_logit.tolist() == [4.0]
        out.chosen_logit.fill_(3.5)
        tiles_step.run()
        for counted_otherwise in (0, 1):
            tiles_step.arguments["before_ptr"] += counted_otherwise
            finish_step.run()
            assert out.topk_id.tolist() == [[9, 5, 0, 1]]
            assert out.topk_logit.tolist() == [[3.75, 3.5, 0, 0]]
            assert out.chosen_rank.tolist() == [1]

    def test_negative_zero_ties_with_zero(self) -> None:
        hidden, weights = one_hot(torch.tensor([[-1.0, -0.0, 0.0, -0.0, 0.0]]))
        out = fused(hidden, weights, 3, chosen=torch.tensor([3]), scale=-1.0, bias=torch.tensor([-9.0, -0, -0, -0, -0]))
        assert out.topk_id.tolist() == [[0, 1, 2]] and out.chosen_rank is not None
        assert out.chosen_rank.tolist() == [3]
        assert_same(fused(hidden, weights, 5), logit_lens(hidden, weights, 5))
        hidden, weights = one_hot(torch.tensor([[-1.0, -1e-30, 0.0, -1e-30, 0.0]]))
        assert fused(hidden, weights, 3, scale=1e-20).topk_id.tolist() == [[1, 2, 3]]  # zeros of both signs

    def test_padded_rows_never_count(self) -> None:
        hidden, weights = integers(5, 300, 6)
        weights[150:] = 50 * weights[150:].abs()
        chosen = torch.tensor([0, 149, 150, 299, 64])
        options = {"chosen": chosen, "vocabulary": 150, "entropy": True}
        out = fused(hidden, weights, 12, **options)
        assert_same(out, logit_lens(hidden, weights, 12, **options))
        assert (out.topk_id < 150).all() and out.chosen_logit is not None
        assert out.chosen_logit[2:4].tolist() == [-math.inf] * 2

    def test_what_is_not_finite_counts_as_in_the_reference(self) -> None:
        hidden, weights = integers(6, 260, 6)
        hidden[0] = math.nan
        hidden[1, 2] = math.inf  # logits of inf, -inf and NaN
        hidden[2, 0] = -math.inf
        weights[70] = math.nan
        weights[71, 3] = math.inf
        bias = torch.zeros(260)
        bias[3::2] = -math.inf
        for options in ({}, {"bias": bias}, {"bias": torch.full((260,), -math.inf)}, {"vocabulary": 5, "bias": bias}):
            chosen = torch.tensor([0, 70, 71, 200, 70, 259])
            options = options | {"chosen": chosen, "entropy": True}
            out, wanted = (logit_lens(hidden, weights, 3, impl=impl, **options) for impl in ("triton", "torch"))
            none = wanted.logsumexp == -math.inf
            assert none[0] and out.entropy is not None and wanted.entropy is not None
            assert (out.entropy[none] > 3e38).all() and (wanted.entropy[none] > 3e38).all()
            out.entropy[none] = wanted.entropy[none]
            assert_same(out, wanted)

    def test_the_tiles_keep_each_groups_two_best_for_all_rows_in_bands(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lens_triton, "BAND", 2)
        hidden, weights = integers(130, 140, 5)
        (tiles_step, _) = lens_triton.plan(hidden, weights, 1).launches
        tiles_step.run()
        logits = torch.full((130, 3 * 64), -math.inf)
        logits[:, :140] = hidden @ weights.T
        best = logits.unflatten(1, (3, 64)).sort(dim=2, descending=True, stable=True)
        for name, wanted in (("m1", best.values[..., 0]), ("i1", best.indices[..., 0]), ("m2", best.values[..., 1])):
            assert torch.equal(tiles_step.arguments[f"{name}_ptr"][:, :3].to(wanted.dtype), wanted), name

    def test_rows_in_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lens_triton, "WORKSPACE_BYTES", 9 * 3 * 4)
        hidden, weights = integers(10, 140, 5)
        options = {"chosen": torch.arange(10), "entropy": True}
        assert_same(fused(hidden, weights, 2, **options), logit_lens(hidden, weights, 2, **options))

    def test_more_groups_and_tiles_than_are_held_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lens_triton, "SELECT_BLOCK", 4)
        hidden, weights = integers(3, 1000, 6)
        chosen = torch.tensor([999, 5, 500])
        options = {"chosen": chosen, "entropy": True}
        assert_same(fused(hidden, weights, 7, **options), logit_lens(hidden, weights, 7, **options))

    def test_one_row_no_row_and_rows_that_are_not_contiguous(self) -> None:
        hidden, weights = integers(8, 150, 6)
        for rows in (hidden[:1], hidden[::3], hidden.T.contiguous().T, hidden[:0]):
            chosen = torch.arange(len(rows), dtype=torch.int32)
            options = {"chosen": chosen, "entropy": True}
            assert_same(fused(rows, weights, 4, **options), logit_lens(rows, weights, 4, **options))

    def test_what_the_kernel_does_not_cover_is_named(self) -> None:
        hidden, weights = gaussian(2, 80, 4)
        for arguments, says in (
            ((hidden.double(), weights.double(), 3), "float32, float16 or bfloat16"),
            ((hidden, weights.T.contiguous().T, 3), "contiguous rows"),
            ((hidden, weights, MAX_K + 1), f"at most {MAX_K}"),
        ):
            with pytest.raises(ValueError, match=says):
                fused(*arguments)
        with pytest.raises(ValueError, match="chosen ids"):
            fused(hidden, weights, 3, chosen=torch.tensor([0, 80]))

    def test_an_id_outside_of_the_vocabulary_is_reported_where_nobody_looks_at_ids(self) -> None:
        hidden, weights = integers(4, 100, 6)
        made = run(hidden, weights, 3, torch.tensor([-1, 100, 2**32 + 5, 5]))
        assert made.output.chosen_logit is not None and made.output.chosen_rank is not None
        assert made.output.chosen_logit.isnan().tolist() == [True, True, True, False]
        assert (made.output.chosen_rank[:3] == -1).all() and made.output.chosen_rank[3] >= 0
        wanted = logit_lens(hidden, weights, 3)
        assert torch.equal(made.output.topk_id, wanted.topk_id)
        torch.testing.assert_close(made.output.logsumexp, wanted.logsumexp)


@outside
def test_the_kernels_in_the_interpreter() -> None:
    all_pass_interpreted(__file__)


# Which implementation serves a call


def test_a_cpu_gets_torch_unless_triton_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu, cuda = torch.zeros(1), SimpleNamespace(is_cuda=True)
    asked = [(impl, torch_or_triton.wants_triton(impl, x)) for x in (cpu, cuda) for impl in ("auto", "torch", "triton")]
    assert [impl for impl, wanted in asked[:3] if wanted] == ["triton"]
    assert [impl for impl, wanted in asked[3:] if wanted] == ["auto", "triton"]
    monkeypatch.setattr(torch_or_triton, "find_spec", lambda _: None)
    assert not torch_or_triton.wants_triton("auto", cuda)  # type: ignore[arg-type]
    with pytest.raises(ImportError, match="pip install triton") as missing:
        torch_or_triton.wants_triton("triton", cpu)
    assert missing.value.name == "triton"


@outside
def test_compiled_kernels_refuse_cpu_tensors() -> None:
    with pytest.raises(ValueError, match="needs CUDA tensors"):
        logit_lens(*gaussian(2, 9, 4), 3, impl="triton")


def test_auto_falls_back_to_torch_for_what_the_kernel_does_not_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent_kernels.lens.wants_triton", lambda *_: True)
    monkeypatch.setattr(lens_triton, "lens", lambda *_: pytest.fail("was called"))
    hidden, weights = gaussian(2, 90, 4)
    hidden, weights = hidden.double(), weights.double()
    assert torch.equal(logit_lens(hidden, weights, 70).topk_id, logit_lens(hidden, weights, 70, impl="torch").topk_id)


# On a GPU


def on_gpu(rows: int, size: int = 32100, d: int = 1024, dtype: torch.dtype = torch.bfloat16) -> list[torch.Tensor]:
    return [t.to("cuda", dtype) for t in gaussian(rows, size, d)]


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
@pytest.mark.parametrize("rows", [1, 64, 65, 600])
def test_the_gpu_is_as_good_as_torch(rows: int, dtype: torch.dtype) -> None:
    hidden, weights = on_gpu(rows, 4100 if dtype == torch.float32 else 32100, dtype=dtype)
    chosen = torch.arange(rows, device="cuda") * 7 % 4000
    bias = torch.linspace(-3, 3, len(weights), device="cuda")
    for options in ({}, {"entropy": True}, {"scale": 0.1, "softcap": 30.0, "bias": bias, "vocabulary": 4000}):
        assert_as_good_as_torch(hidden, weights, 16, chosen=chosen, **options)


@pytest.mark.gpu
@pytest.mark.parametrize("rows", [32, 600])
@pytest.mark.parametrize("hot", [False, True])
def test_on_the_gpu_chosen_logits_are_bitwise_those_of_the_top_k_of_another_call(rows: int, hot: bool) -> None:
    hidden, weights = on_gpu(rows)
    if hot:  # many of the best share a group, so they come from repairs
        weights[640:704] = hidden[0] * 0.3 + weights[640:704] * 0.1
        hidden = hidden * 0.05 + hidden[:1]
    best = logit_lens(hidden, weights, 10, impl="triton")
    assert not hot or bool((run(hidden, weights, 10).repairs > 0).any())
    for rank in range(10):
        out = logit_lens(hidden, weights, 10, chosen=best.topk_id[:, rank], impl="triton")
        assert out.chosen_rank is not None and out.chosen_logit is not None
        assert torch.equal(out.topk_id, best.topk_id) and torch.equal(out.topk_logit, best.topk_logit)
        assert torch.equal(out.chosen_logit, best.topk_logit[:, rank])
        assert (out.chosen_rank == rank).all()


@pytest.mark.gpu
def test_on_the_gpu_ties_and_repairs_are_exact() -> None:
    hidden, weights = (t.to("cuda", torch.bfloat16) for t in integers(70, 5000, 64))
    chosen = torch.arange(70, device="cuda")
    assert_same(
        logit_lens(hidden, weights, 16, chosen=chosen, entropy=True, impl="triton"),
        logit_lens(hidden, weights, 16, chosen=chosen, entropy=True, impl="torch"),
    )


@pytest.mark.gpu
def test_on_the_gpu_the_librarys_product_is_as_good_as_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lens_triton, "ROUTES", ((math.inf, CublasRoute(1 << 20), CublasRoute(1 << 20)),))
    for rows in (1, 300):
        hidden, weights = on_gpu(rows)
        assert_as_good_as_torch(hidden, weights, 16, chosen=torch.arange(rows, device="cuda") * 7, entropy=True)


@pytest.mark.gpu
@pytest.mark.parametrize("route", [None, CublasRoute(1 << 20)], ids=str)
@pytest.mark.parametrize("rows", [32, 600])
def test_a_cuda_graph_replays_the_lens(rows: int, route: Route | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if route is not None:
        monkeypatch.setattr(lens_triton, "ROUTES", ((math.inf, route, route),))
    hidden, weights = on_gpu(rows)
    chosen = torch.arange(rows, device="cuda")
    options = {"chosen": chosen, "entropy": True, "impl": "triton"}
    logit_lens(hidden, weights, 10, **options)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = logit_lens(hidden, weights, 10, **options)
    hidden.copy_(hidden.flip(0))
    graph.replay()
    for a, b in zip(captured, logit_lens(hidden, weights, 10, **options), strict=True):
        assert torch.equal(a, b)  # which also says: deterministic


@pytest.mark.gpu
def test_on_the_gpu_no_logits_are_kept() -> None:
    hidden, weights = on_gpu(600)
    logit_lens(hidden, weights, 10, impl="triton")
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    logit_lens(hidden, weights, 10, impl="triton")
    assert torch.cuda.max_memory_allocated() - before < 600 * 32100 * 4 / 5


@pytest.mark.gpu
def test_on_the_gpu_auto_is_the_kernel() -> None:
    hidden, weights = on_gpu(3)
    for a, b in zip(logit_lens(hidden, weights, 5), logit_lens(hidden, weights, 5, impl="triton"), strict=True):
        assert (a is None and b is None) or torch.equal(a, b)
