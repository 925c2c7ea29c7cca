// SPDX-License-Identifier: MIT
#include "mpi/rounds.h"

#include "mpi/column_exchange.h"
#include "mpi/cosine_sums.h"
#include "mpi/mixing.h"
#include "mpi/ranks_progress.h"
#include "mpi/work_clock.h"
#include "solver/answering_tasks.h"
#include "solver/equilibrium_solvers.h"
#include "solver/monitor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

namespace mugrad::mpi {
namespace {

/// Answers are more accurate than the borrowed weights by this factor.
constexpr double kExactness = 0.1;
/// But never more accurate than this share of the tolerance.
constexpr double kMargin = 0.3;

/// Records the first residual of a run, which is that of the round.
class FirstResidual final : public Progress {
 public:
  bool update(double /*share*/) override { return true; }
  void iterate(const Iterate& iterate) override {
    if (iterate.iteration == 0) residual_ = iterate.residual;
  }
  double residual() const noexcept { return residual_; }

 private:
  double residual_ = 0;
};

/// Decides whether a run should end because it has not improved for long.
class Patience {
 public:
  explicit Patience(double near_rounding) : near_rounding_(near_rounding) {}

  bool is_over(Index round, double residual, double reference) noexcept {
    constexpr double kGain = 0.9;
    constexpr Index kRounds = 20;
    if (residual <= kGain * best_) {
      best_ = residual;
      gained_ = round;
    }
    const bool may_be_rounding = best_ <= near_rounding_ * reference;
    return round - gained_ > (may_be_rounding ? kRounds : 10 * kRounds);
  }

 private:
  double near_rounding_;
  double best_ = std::numeric_limits<double>::infinity();
  Index gained_ = 0;
};

template <class Real>
class Rounds {
 public:
  Rounds(const Communicator& among, const Share& share, TaskSet<Real>& tasks, double sigma,
         Intercepts intercepts, Matrix<Real>& weights, const Stopping& stopping,
         const Resumption& from, Progress* progress, const AfterRound<Real>& after_round,
         ThreadPool& pool)
      : among_(among),
        share_(share),
        tasks_(tasks),
        sigma_(sigma),
        first_(intercepts == Intercepts::own ? 1 : 0),
        weights_(weights),
        answers_(std::ssize(share.own), weights.cols()),
        heard_(progress),
        all_iterations_(stopping.max_iterations),
        left_(std::max<Index>(0, stopping.max_iterations - from.iterations)),
        monitor_(with_limit(stopping, left_), &heard_),
        patience_(kNearRounding<Real>),
        round_(from.round),
        after_round_(after_round),
        pool_(pool),
        exchange_(among, share.own, share.wanted, share.rank_of, weights.cols(), first_),
        sums_(among, numbers_of(share)),
        mixing_(begins_of(share), weights.cols(), sums_, pool),
        nothing_(scalar_transfer<Real>(no_transfer(1).mbar, Intercepts::own, pool)),
        answering_(tasks, nullptr, intercepts, sigma, pool),
        space_(pool) {
    if (share.summed != nullptr && sigma > 0) {
      cosine_.emplace(among, *share.summed, share.own, weights.cols(), first_, pool);
    }
    plan();
  }

  RoundsReport run() {
    constexpr double kSetback = 2;
    // The tolerance is relative to the residual of the start, which is not known yet.
    double residual = measure();
    double before = residual;
    auto stop = check(residual);
    while (!stop) {
      const double exact = sigma_ > 0 ? kExactness * residual / monitor_.reference() : 0;
      const double share = sigma_ > 0 ? kMargin : 1;
      const Index made = std::max<Index>(1, iterations_);
      residual = left_ > 0 ? look(std::max(share * monitor_.tolerance(), exact)) : measure();
      // The first answers start where the residual was measured.
      if (is_first_) {
        is_first_ = false;
      } else {
        stop = check(residual, made);
        if (!stop && patience_.is_over(round_, residual, monitor_.reference())) {
          stop = Stop::stalled;
        }
      }
      if (stop) break;
      if (residual > kSetback * before) mixing_.forget();
      before = residual;
      mix();
      ++round_;
      if (after_round_) {
        after_round_({.round = round_,
                      .iterations = all_iterations_ - left_,
                      .first_residual = monitor_.reference()},
                     weights_);
      }
    }
    return report(*stop);
  }

  /// The residual, without solving any label.
  double measure() { return look_until(std::numeric_limits<double>::infinity()); }

 private:
  static constexpr double kNoLoss = std::numeric_limits<double>::quiet_NaN();

  static Stopping with_limit(Stopping stopping, Index iterations) {
    stopping.max_iterations = iterations;
    return stopping;
  }
  static std::vector<Index> numbers_of(const Share& share) {
    std::vector<Index> numbers;
    for (const auto& group : share.groups) numbers.push_back(group.number);
    return numbers;
  }
  static std::vector<Index> begins_of(const Share& share) {
    std::vector<Index> begins;
    for (const auto& group : share.groups) begins.push_back(group.begin);
    begins.push_back(std::ssize(share.own));
    return begins;
  }

  /// Determines the sources that each group waits for, and the order of the groups. Ranks that
  /// share the rows of the same labels need the same order.
  void plan() {
    std::vector<std::size_t> source_of;  // of each wanted label
    const auto& sources = exchange_.sources();
    for (const LabelId label : share_.wanted) {
      const int rank = share_.rank_of[as_size(label)];
      source_of.push_back(as_size(std::ranges::lower_bound(sources, rank) - sources.begin()));
    }
    const auto own = std::ssize(share_.own);
    for (const auto& group : share_.groups) {
      std::vector<char> needs(sources.size(), 0);
      const auto& borrowing = share_.borrowing;
      for (Index e = borrowing.start[as_size(group.begin)]; e < borrowing.start[as_size(group.end)];
           ++e) {
        const Index row = borrowing.row[as_size(e)];
        if (row >= own) needs[source_of[as_size(row - own)]] = 1;
      }
      needs_.push_back(std::move(needs));
    }
    // While weights arrive, groups that need none are solved.
    order_.resize(needs_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {},
                             [&](std::size_t g) { return std::ranges::count(needs_[g], 1); });
  }

  /// Exchanges the weights, and solves every label until its residual is within the tolerance or no
  /// iteration is left; an infinite tolerance only measures. Returns the residual of the current
  /// weights.
  double look_until(double tolerance) {
    iterations_ = 0;
    const bool sends = sigma_ > 0 && !cosine_;
    if (sigma_ > 0) ++exchanges_;
    if (sends) exchange_.start(weights_);
    if (cosine_) cosine_->borrow(weights_, sigma_, borrowed_);
    double residual = 0;
    for (const std::size_t g : order_) {
      while (sends && !is_ready(g)) exchange_.wait();
      const double of_group = answer(share_.groups[g], tolerance);
      // NaN must not be lost in a comparison.
      residual = std::isfinite(of_group) ? std::max(residual, of_group)
                                         : std::numeric_limits<double>::infinity();
    }
    if (sends) exchange_.finish();
    std::array<double, 3> of_all = {residual, heard_.wants_end() ? 1.0 : 0.0,
                                    static_cast<double>(iterations_)};
    among_.largest(of_all);
    is_to_end_ = of_all[1] > 0;
    iterations_ = static_cast<Index>(of_all[2]);
    return of_all[0];
  }
  double look(double tolerance) {
    const double residual = look_until(tolerance);
    left_ -= std::max<Index>(1, iterations_);
    return residual;
  }

  /// The reason to stop at this residual after this many more iterations, the same on all ranks.
  std::optional<Stop> check(double residual, Index iterations = 1) {
    const auto stop = monitor_.check(residual, kNoLoss, iterations);
    return !stop && is_to_end_ ? Stop::interrupted : stop;
  }

  /// Whether all weights that a group needs have arrived; advances all messages.
  bool is_ready(std::size_t group) {
    bool is_ready = true;
    for (std::size_t source = 0; source < needs_[group].size(); ++source) {
      const bool is_here = exchange_.has_arrived(source);
      is_ready = is_ready && (is_here || !needs_[group][source]);
    }
    return is_ready;
  }

  double answer(const LocalGroup& group, double tolerance) {
    const WorkClock clock(work_seconds_);
    const Stopping stopping{.tolerance = tolerance,
                            .reference_residual = monitor_.reference(),
                            .max_iterations = left_};
    choose(group);
    part_.resize(weights_.cols(), group.end - group.begin);
    put_columns(weights_, group, part_);
    FirstResidual first;
    const auto solved = run_quasi_newton<Real>(answering_, *nothing_, 0, part_, stopping, &first,
                                               pool_, {}, space_);
    iterations_ = std::max(iterations_, solved.iterations);
    for (Index t = 0; t < part_.cols(); ++t) {
      const auto to = answers_.row(group.begin + t);
      for (Index k = 0; k < part_.rows(); ++k) to[as_size(k)] = part_(k, t);
    }
    return first.residual();
  }

  /// Copies the rows of a group into columns.
  static void put_columns(const Matrix<Real>& rows, const LocalGroup& group, Matrix<Real>& to) {
    for (Index t = 0; t < to.cols(); ++t) {
      const auto row = rows.row(group.begin + t);
      for (Index k = 0; k < to.rows(); ++k) to(k, t) = row[as_size(k)];
    }
  }

  void set_ids(const LocalGroup& group) {
    ids_.resize(as_size(group.end - group.begin));
    std::iota(ids_.begin(), ids_.end(), group.begin);
  }

  /// Selects the tasks of a group and the weights they borrow.
  void choose(const LocalGroup& group) {
    set_ids(group);
    ridge_.clear();
    if (sigma_ == 0) {
      group_borrowed_.resize(0, 0);
      return answering_.choose(ids_, ridge_, group_borrowed_);
    }
    const auto& borrowing = share_.borrowing;
    for (const Index i : ids_) {
      const double own = cosine_ ? cosine_->own_share(i) : borrowing.own[as_size(i)];
      ridge_.push_back(sigma_ * (1 - own));
    }
    group_borrowed_.resize(weights_.cols(), std::ssize(ids_));
    if (cosine_) {
      put_columns(borrowed_, group, group_borrowed_);
      return answering_.choose(ids_, ridge_, group_borrowed_);
    }
    pool_.run(std::ssize(ids_), [&](Index t) {
      std::vector<double> sums(as_size(weights_.cols()), 0);
      const auto i = as_size(group.begin + t);
      for (Index e = borrowing.start[i]; e < borrowing.start[i + 1]; ++e) {
        const double strength = sigma_ * borrowing.strength[as_size(e)];
        const auto w = weights_.row(borrowing.row[as_size(e)]);
        for (std::size_t k = as_size(first_); k < sums.size(); ++k) {
          sums[k] += strength * static_cast<double>(w[k]);
        }
      }
      for (Index k = 0; k < group_borrowed_.rows(); ++k) {
        group_borrowed_(k, t) = static_cast<Real>(sums[as_size(k)]);
      }
    });
    answering_.choose(ids_, ridge_, group_borrowed_);
  }

  void mix() {
    if (sigma_ > 0) return mixing_.step(answers_, weights_);
    std::ranges::copy(answers_.values(), weights_.values().begin());
  }

  RoundsReport report(Stop stop) {
    const Index served = among_.sum(answering_.served());
    const Index passes = (served + share_.labels() - 1) / share_.labels();
    RoundsReport report{.solve = monitor_.report(stop, passes + tasks_.take_shared_passes()),
                        .rounds = round_,
                        .total_loss = total_loss(),
                        .traffic = {}};
    report.traffic = {
        .exchanges = exchanges_,
        .gradients = served,
        .work_seconds = work_seconds_ + (cosine_ ? cosine_->work_seconds() : 0),
        .bytes_per_exchange = among_.sum(cosine_ ? cosine_->bytes() : exchange_.bytes()),
        .bytes = among_.sum(cosine_ ? cosine_->received() : exchange_.received())};
    return report;
  }

  double total_loss() {
    Matrix<double> of_groups(std::ssize(share_.groups), 1);
    std::vector<double> losses;
    Matrix<Real> gradient;
    for (Index g = 0; g < of_groups.rows(); ++g) {
      const auto& group = share_.groups[as_size(g)];
      set_ids(group);
      part_.resize(weights_.cols(), std::ssize(ids_));
      gradient.resize(part_.rows(), part_.cols());
      put_columns(weights_, group, part_);
      losses.assign(ids_.size(), 0);
      tasks_.gradient(ids_, part_, gradient, {.values = losses});
      of_groups(g, 0) = std::accumulate(losses.begin(), losses.end(), 0.0);
    }
    return sums_.add_up(of_groups).front();
  }

  const Communicator& among_;
  const Share& share_;
  TaskSet<Real>& tasks_;
  double sigma_;
  Index first_;  ///< first borrowed parameter
  Matrix<Real>& weights_;
  Matrix<Real> answers_;
  HeardProgress heard_;
  Index all_iterations_;
  Index left_;  ///< remaining iterations of the labels
  Monitor monitor_;
  Patience patience_;
  Index round_;
  Index iterations_ = 0;  ///< of the slowest group in the last round
  bool is_first_ = true;
  bool is_to_end_ = false;  ///< the progress of some rank has asked to stop
  const AfterRound<Real>& after_round_;
  ThreadPool& pool_;
  ColumnExchange<Real> exchange_;
  std::optional<CosineSums<Real>> cosine_;  ///< instead of the exchange
  GroupSums sums_;
  Mixing<Real> mixing_;
  std::unique_ptr<Transfer<Real>> nothing_;
  AnsweringTasks<Real> answering_;
  QuasiNewtonSpace<Real> space_;
  std::vector<std::vector<char>> needs_;  ///< of each group, by source
  std::vector<std::size_t> order_;        ///< order of the groups
  std::vector<Index> ids_;
  std::vector<double> ridge_;
  Matrix<Real> part_, group_borrowed_;
  Matrix<Real> borrowed_;  ///< from the sums, one row per label
  Index exchanges_ = 0;
  double work_seconds_ = 0;
};

}  // namespace

template <class Real>
RoundsReport run_rounds(const Communicator& among, const Share& share, TaskSet<Real>& tasks,
                        double sigma, Intercepts intercepts, Matrix<Real>& weights,
                        const Stopping& stopping, const Resumption& from, Progress* progress,
                        const AfterRound<Real>& after_round, ThreadPool& pool) {
  return Rounds<Real>(among, share, tasks, sigma, intercepts, weights, stopping, from, progress,
                      after_round, pool)
      .run();
}

template <class Real>
double residual_of(const Communicator& among, const Share& share, TaskSet<Real>& tasks,
                   double sigma, Intercepts intercepts, Matrix<Real>& weights, ThreadPool& pool) {
  const AfterRound<Real> nothing;
  return Rounds<Real>(among, share, tasks, sigma, intercepts, weights, {}, {}, nullptr, nothing,
                      pool)
      .measure();
}

template decltype(residual_of<float>) residual_of<float>;
template decltype(residual_of<double>) residual_of<double>;
template decltype(run_rounds<float>) run_rounds<float>;
template decltype(run_rounds<double>) run_rounds<double>;

}  // namespace mugrad::mpi
